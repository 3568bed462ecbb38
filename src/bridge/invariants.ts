// Invariants between the two services.
import { type Invariant, violationsMax } from '../kernel/db/invariant.ts'
import { listForgottenMovements } from './movement-source-store.ts'

export const bridgeInvariants: readonly Invariant[] = [
  {
    id: 'I14.42',
    title: 'the books have recorded every movement of the merchant ledger that they have read past',
    violations: (sql) => listForgottenMovements(sql, violationsMax),
  },
]
