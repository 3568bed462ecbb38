// A refund: money of a payment, or unmatched money, that is returned to the payer.
//
//   pending recorded; the provider's answer is not known. One refund of a payment is in flight at
//             a time, and no other is sent until it has ended.
//   accepted the provider has accepted it. It counts from now on: ledger, payment and event
//             follow.
//   settled the provider has paid
//   failed refused or given up; nothing was posted
//   reversed failed after it was accepted; a compensating entry reversed it
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { type Posting, posting } from '../../kernel/ledger/posting.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'
import type { Payment } from '../payments/payment.ts'

export type RefundStatus = 'pending' | 'accepted' | 'settled' | 'failed' | 'reversed'

// requested, card_check: it counts towards the refunded amount of the payment. The second one
// returns what was charged to check a new card of a subscription. The others return money that the
// payment can't use: a success that came too late or twice, or more than its amount.
export type RefundCause =
  | 'requested'
  | 'card_check'
  | 'late_success'
  | 'overpayment'
  | 'repeated_charge'

export type Refund = {
  readonly id: string
  readonly paymentId: string
  readonly status: RefundStatus
  readonly amountMinor: bigint
  readonly currency: string
  readonly cause: RefundCause
  // The provider's transaction that is refunded; null means the one that the payment collected.
  readonly transactionId: string | null
  readonly requestedByKind: Actor['kind']
  readonly requestedBy: string
  readonly approvalId: string | null
  readonly providerRefundId: string | null
  readonly failureReason: string | null
  // Counted before each send, so that a crash while sending does not look like no send.
  readonly sends: number
  // The provider's ids of entries in its list before the first send that were not ours, so they
  // can't be this refund. Null before that.
  readonly listedBefore: readonly string[] | null
  // The provider's id of it according to a person, if nothing else could tell.
  readonly namedEntry: string | null
  // Whether it was without an answer when the rule of `isOnlyLookedUp` was introduced.
  readonly lookupOnly: boolean
  // The first lookup that did not find it at the provider.
  readonly firstAbsentAt: Date | null
  // When it failed because the provider did not have it. It may still appear there.
  readonly givenUpAt: Date | null
  // The threshold at the time, for a refund that needed no approval; null for others.
  readonly thresholdMinor: bigint | null
  // How much further the balance could be overdrawn after it, if the business limits that and there
  // was no approval.
  readonly overdraftLeftMinor: bigint | null
  readonly nextLookAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

// Longer than the provider can take to answer the sender, who then settles the refund. The resolver
// comes after that.
export const pollAfterSendSeconds = 60

// Refunds of what a payment collected are taken from the merchant's money. The rest was never the
// merchant's.
export function isOfMerchant({ cause }: Pick<Refund, 'cause'>): boolean {
  return cause === 'requested' || cause === 'card_check'
}

// Owed by the system, without anyone's request.
export function isAutomatic({ cause }: Pick<Refund, 'cause'>): boolean {
  return cause !== 'requested'
}

// The caller of a direct refund got no answer, or was told that the provider did not confirm it,
// and may request it again. So only the request itself sends the refund. Automatic and approved
// refunds are not requested again: the resolver sends those.
export function isOnlyLookedUp(
  refund: Pick<Refund, 'cause' | 'approvalId' | 'lookupOnly'>,
): boolean {
  return refund.lookupOnly || (!isAutomatic(refund) && refund.approvalId === null)
}

// Failed because the provider did not have it. If it appears there later, it is adopted.
export function isGivenUp({ status, givenUpAt }: Pick<Refund, 'status' | 'givenUpAt'>): boolean {
  return status === 'failed' && givenUpAt !== null
}

// Whether the provider may be about to act on it, so that the remaining amount and the owner of a
// list entry are unknown. Refunds of money that a payment can't use are not in flight while they
// wait: before they are sent, and after a refusal (`failureReason`), which leads to another try for
// a while.
export function isInFlight(refund: Refund): boolean {
  if (refund.status !== 'pending') return false
  return isOfMerchant(refund) || (refund.sends > 0 && refund.failureReason === null)
}

export function refundInstruction(payment: Payment, refund: Refund) {
  const { id, amountMinor, currency } = refund
  const transaction = refund.transactionId ?? payment.providerTransactionId
  const transactionId = assertDefined(transaction, 'a refund of no transaction')
  return { transactionId, amountMinor, currency, note: `Refund ${id}` }
}

// Can overdraw the merchant: the payer's money is returned even if it was already paid out.
export function acceptedPosting(refund: Refund): Posting {
  return movement(refund, 'refund.accepted', refund.amountMinor)
}

// The exact opposite, for a refund that the provider accepted and then did not pay.
export function reversedPosting(refund: Refund): Posting {
  return movement(refund, 'refund.reversed', -refund.amountMinor)
}

function movement(refund: Refund, kind: string, amountMinor: bigint): Posting {
  const { id, currency } = refund
  const { merchantAvailable, suspense, providerBalance } = ledgerAccounts
  const account = isOfMerchant(refund) ? merchantAvailable : suspense
  return posting({
    kind,
    sourceId: id,
    lines: [
      { account, currency, amountMinor },
      { account: providerBalance, currency, amountMinor: -amountMinor },
    ],
  })
}

// The documented fields and no others.
export function refundedEventData(payment: Payment, refund: Refund) {
  return {
    id: payment.id,
    amount: payment.amountMinor,
    refunded_amount: payment.refundedMinor,
    refund_amount: refund.amountMinor,
    currency: payment.currency,
    status: payment.status,
    fully_refunded: payment.refundedMinor === payment.amountMinor,
  }
}
