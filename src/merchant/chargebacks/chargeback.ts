// A chargeback: a cardholder disputes a payment at their bank, and the provider takes the money.
// The pages call it a dispute.
//
//   open the money is taken, and the dispute is not decided
//   won the money was returned
//   lost the money stays taken
//
// The payment keeps its status, because the merchant was told of it. A charged-back amount can't
// also be refunded.
import { type Posting, posting } from '../../kernel/ledger/posting.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'

export type Chargeback = {
  readonly id: string
  readonly paymentId: string
  readonly providerChargebackId: string
  readonly status: 'open' | 'lost' | 'won'
  readonly amountMinor: bigint
  readonly currency: string
  // The part that the merchant bears. The rest is unmatched money.
  readonly merchantMinor: bigint
  // What the provider says besides the outcome; null if it does not tell.
  readonly dueAt: Date | null
  readonly reason: string | null
  readonly isContested: boolean
  readonly createdAt: Date
  // When it was decided, or when it was opened.
  readonly updatedAt: Date
}

export const disputePhases = ['needs_answer', 'under_review', 'won', 'lost'] as const
// What the people of the business can do about it: answer until the due date, or wait.
export type DisputePhase = (typeof disputePhases)[number]

export function phaseOf(
  { status, isContested, dueAt }: Pick<Chargeback, 'status' | 'isContested' | 'dueAt'>,
  now: Date,
): DisputePhase {
  if (status !== 'open') return status
  const isTooLate = dueAt !== null && dueAt <= now
  return isContested || isTooLate ? 'under_review' : 'needs_answer'
}

// What was taken from a payment and not returned.
export function takenMinor(chargebacks: readonly Chargeback[], wanted: string): bigint {
  return chargebacks
    .filter(({ status, currency }) => status !== 'won' && currency === wanted)
    .reduce((total, { amountMinor }) => total + amountMinor, 0n)
}

// Can overdraw the merchant: the bank does not ask whether the money was paid out.
export function openedPosting(chargeback: Chargeback): Posting {
  return movement(chargeback, 'chargeback.opened', 1n)
}

// The exact opposite.
export function wonPosting(chargeback: Chargeback): Posting {
  return movement(chargeback, 'chargeback.won', -1n)
}

function movement(chargeback: Chargeback, kind: string, sign: bigint): Posting {
  const { id, currency, amountMinor, merchantMinor } = chargeback
  const { merchantAvailable, suspense, providerBalance } = ledgerAccounts
  const lines = [
    { account: merchantAvailable, currency, amountMinor: sign * merchantMinor },
    { account: suspense, currency, amountMinor: sign * (amountMinor - merchantMinor) },
    { account: providerBalance, currency, amountMinor: -sign * amountMinor },
  ]
  return posting({ kind, sourceId: id, lines: lines.filter((line) => line.amountMinor !== 0n) })
}
