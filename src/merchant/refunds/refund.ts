// A refund: one giving back of a payment's money, or of money that no payment wanted.
//
// pending  recorded; the provider's answer is not known. One refund of a payment is in flight at a
//          time, and until it has ended no other is sent.
// accepted the provider has taken it on; this is when it counts: ledger, payment and event follow
// settled  the provider has paid
// failed   refused or given up; nothing was posted
// reversed failed after it was accepted; a compensating entry undid it
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { type Posting, posting } from '../../kernel/ledger/posting.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'
import type { Payment } from '../payments/payment.ts'

export type RefundStatus = 'pending' | 'accepted' | 'settled' | 'failed' | 'reversed'

// requested: somebody asked, so it counts towards what is refunded of the payment. The others give
// back what the payment did not want: a success that came too late or once more, or more than its
// amount.
export type RefundCause = 'requested' | 'late_success' | 'overpayment' | 'repeated_charge'

export type Refund = {
  readonly id: string
  readonly paymentId: string
  readonly status: RefundStatus
  readonly amountMinor: bigint
  readonly currency: string
  readonly cause: RefundCause
  // The provider's transaction that is given back; null is the one that the payment collected.
  readonly transactionId: string | null
  readonly requestedByKind: Actor['kind']
  readonly requestedBy: string
  readonly approvalId: string | null
  readonly providerRefundId: string | null
  readonly failureReason: string | null
  // Counted before each send, so that a crash while sending cannot be taken for none.
  readonly sends: number
  // The provider's ids of what its list held before the first send and was none of ours: whatever
  // it is, it is not this. Null before that.
  readonly listedBefore: readonly string[] | null
  // What a person says the provider calls it, where nobody else could tell.
  readonly namedEntry: string | null
  // Whether it was without an answer when the rule of `isOnlyLookedUp` was introduced.
  readonly lookupOnly: boolean
  // The first look-up that did not find it at the provider.
  readonly firstAbsentAt: Date | null
  // When it failed because the provider did not have it. It may still appear there.
  readonly givenUpAt: Date | null
  // What held when somebody asked, for a refund that needed no second person; null for the others.
  readonly thresholdMinor: bigint | null
  // By how much the balance could still be overdrawn after it, where the business limits that and
  // no second person agreed.
  readonly overdraftLeftMinor: bigint | null
  readonly nextLookAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

// Longer than the provider may take to answer whoever sent it, who settles it then; the resolver
// comes after that.
export const pollAfterSendSeconds = 60

// Money that somebody asked back is taken from what the merchant has; the rest was never theirs.
export function isOfMerchant({ cause }: Pick<Refund, 'cause'>): boolean {
  return cause === 'requested'
}

// The caller of a refund that was asked for directly got no answer, or was told that the provider
// did not confirm it, and may ask again. Nothing may happen behind its back, so only the request
// sends the refund. Nobody repeats an automatic or an approved refund: the resolver sends those.
export function isOnlyLookedUp(
  refund: Pick<Refund, 'cause' | 'approvalId' | 'lookupOnly'>,
): boolean {
  return refund.lookupOnly || (isOfMerchant(refund) && refund.approvalId === null)
}

// Failed because the provider did not have it; if it appears there later, it is adopted.
export function isGivenUp({ status, givenUpAt }: Pick<Refund, 'status' | 'givenUpAt'>): boolean {
  return status === 'failed' && givenUpAt !== null
}

// Whether the provider may be about to act on it, so that nobody can say what remains and whose an
// entry of its list is. What the system owes is not while it waits for its turn: before it is sent,
// and after a refusal (`failureReason`), which for a while leads to another try.
export function isInFlight({ status, cause, sends, failureReason }: Refund): boolean {
  if (status !== 'pending') return false
  return cause === 'requested' || (sends > 0 && failureReason === null)
}

export function refundInstruction(payment: Payment, refund: Refund) {
  const { id, amountMinor, currency } = refund
  const transaction = refund.transactionId ?? payment.providerTransactionId
  const transactionId = assertDefined(transaction, 'a refund of no transaction')
  return { transactionId, amountMinor, currency, note: `Refund ${id}` }
}

// May overdraw the merchant: the payer's money goes back whether or not it was paid out already.
export function acceptedPosting(refund: Refund): Posting {
  return movement(refund, 'refund.accepted', refund.amountMinor)
}

// The exact opposite, for a refund that the provider had accepted and then did not pay.
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
