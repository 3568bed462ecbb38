// A refund. `completed` is the provider's word for "accepted"; the money has arrived only in a
// status such as `completed-bank-transfer`. Lists write the fields in another case than everything
// else.
import type { Decimal } from '../../kernel/money/decimal.ts'
import type { Charge } from '../charges/charge.ts'

export type Refund = {
  readonly id: bigint
  readonly chargeId: bigint
  readonly flwRef: string
  readonly amount: Decimal
  readonly status: string
  readonly comments: string | null
  readonly createdAt: Date
}

export const acceptedStatus = 'completed'
export const paidStatus = 'completed-bank-transfer'
export const failedStatus = 'failed'

export const refundStatuses = [
  acceptedStatus,
  paidStatus,
  failedStatus,
  'processing',
  'pending-momo',
  'completed-momo',
  'completed-mpgs',
  'completed-offline',
  'completed-preauth',
] as const

const finalStatuses = new Set<string>(
  refundStatuses.filter((status) => status === failedStatus || status.startsWith('completed-')),
)

export function isFinal(status: string): boolean {
  return finalStatuses.has(status)
}

export function presentRefund(refund: Refund, accountId: bigint) {
  return {
    id: refund.id,
    account_id: accountId,
    tx_id: refund.chargeId,
    flw_ref: refund.flwRef,
    wallet_id: accountId,
    amount_refunded: refund.amount,
    status: refund.status,
    destination: 'payment_source',
    comments: refund.comments,
    meta: { source: 'availablebalance' },
    created_at: refund.createdAt.toISOString(),
  }
}

export function presentRefundInList(refund: Refund, charge: Charge | undefined, accountId: bigint) {
  return {
    id: refund.id,
    account_id: accountId,
    TransactionId: refund.chargeId,
    AmountRefunded: refund.amount,
    FlwRef: refund.flwRef,
    TransactionReference: charge?.txRef,
    Currency: charge?.currency,
    status: refund.status,
    destination: 'payment_source',
    Comments: refund.comments,
    created_at: refund.createdAt.toISOString(),
  }
}

// A flat object without the name of an event.
export function refundWebhook(refund: Refund) {
  return {
    id: refund.id,
    AmountRefunded: refund.amount,
    status: refund.status,
    FlwRef: refund.flwRef,
    TransactionId: refund.chargeId,
  }
}
