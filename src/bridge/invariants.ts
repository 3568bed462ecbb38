// Invariants between the two services.
import { type Invariant, violationsMax } from '../kernel/db/invariant.ts'
import { listLostCharges, listUnboundPayments } from './invoice-charge-source-store.ts'
import { listForgottenMovements } from './movement-source-store.ts'
import { listMischargedPeriods } from './recurring-charge-invariant-store.ts'

export const bridgeInvariants: readonly Invariant[] = [
  {
    id: 'I14.42',
    title: 'the books have recorded every movement of the merchant ledger that they have read past',
    violations: (sql) => listForgottenMovements(sql, violationsMax),
  },
  {
    id: 'I14.43',
    title: 'a payment for an invoice is bound to it in both services, with the same amount',
    violations: (sql) => listUnboundPayments(sql, violationsMax),
  },
  {
    id: 'I14.44',
    title: 'a payment collected for an invoice is in the books or waits to be posted',
    violations: (sql) => listLostCharges(sql, violationsMax),
  },
  {
    id: 'I15.4',
    title: 'a period of a recurring schedule charges a card at most once, for its own invoice',
    violations: (sql) => listMischargedPeriods(sql, violationsMax),
  },
]
