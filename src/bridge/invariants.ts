// What must hold between the two services.
import { type Invariant, violationsMax } from '../kernel/db/invariant.ts'
import { listForgottenMovements } from './movement-source-store.ts'

export const bridgeInvariants: readonly Invariant[] = [
  {
    id: 'I14.42',
    title: 'the books have taken down every movement of the payment service that they went past',
    violations: (sql) => listForgottenMovements(sql, violationsMax),
  },
]
