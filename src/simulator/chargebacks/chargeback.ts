// A chargeback: the cardholder disputes a charge. The provider takes the money when the dispute
// starts and returns it if the merchant wins.
import type { Decimal } from '../../kernel/money/decimal.ts'
import { type Charge, visibleReference } from '../charges/charge.ts'

export type Chargeback = {
  readonly id: bigint
  readonly chargeId: bigint
  readonly amount: Decimal
  readonly status: 'initiated' | 'declined' | 'won' | 'lost'
  readonly stage: string
  readonly comment: string
  readonly dueAt: Date
  readonly createdAt: Date
}

export function presentChargeback(chargeback: Chargeback, charge: Charge) {
  return {
    id: chargeback.id,
    amount: chargeback.amount,
    currency: charge.currency,
    flw_ref: charge.flwRef,
    tx_ref: visibleReference(charge),
    tx_id: charge.id,
    status: chargeback.status,
    stage: chargeback.stage,
    comment: chargeback.comment,
    due_date: chargeback.dueAt.toISOString(),
    created_at: chargeback.createdAt.toISOString(),
  }
}
