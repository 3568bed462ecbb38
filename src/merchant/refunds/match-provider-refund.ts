import { currencyOf } from '../../kernel/money/currency.ts'
import { compare } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import type { RefundFact } from '../provider/provider.ts'
import { isAutomatic, type Refund } from './refund.ts'

// Finds our refund in the provider's list of a payment's refunds. `others` are the entries that
// match no refund of ours.
export type RefundMatch =
  // The entry `fact` is our refund.
  | { readonly kind: 'ours'; readonly fact: RefundFact; readonly others: readonly RefundFact[] }
  // The list definitely does not contain it.
  | { readonly kind: 'absent'; readonly others: readonly RefundFact[] }
  // An entry may be it. Sending the refund again might refund twice.
  | { readonly kind: 'unclear'; readonly others: readonly RefundFact[] }

// Once accepted, a refund has the provider's id. Before that, one refund of a payment is in flight
// at a time, so it can only be an entry that is none of our others and that was not there before
// the send. A live entry with its amount is the refund. A live entry with another amount may be it,
// because the provider may write amounts differently. A failed entry is it only if we know that it
// came after the send.
export function matchProviderRefund(
  refund: Refund,
  refundsOfPayment: readonly Refund[],
  facts: readonly RefundFact[],
): RefundMatch {
  const known = new Set(
    refundsOfPayment.flatMap(({ id, providerRefundId, namedEntry }) =>
      id === refund.id ? [providerRefundId] : [providerRefundId, namedEntry],
    ),
  )
  const others = facts.filter(({ refundId }) => !known.has(refundId))
  if (refund.providerRefundId !== null) {
    const fact = facts.find(({ refundId }) => refundId === refund.providerRefundId)
    return fact ? { kind: 'ours', fact, others: [] } : { kind: 'absent', others }
  }
  if (refund.namedEntry !== null) return findNamed(refund, others)
  // A refund that was never sent can't be in the list. Only what the system owes may have been paid
  // by hand.
  if (refund.sends === 0 && !isAutomatic(refund)) return { kind: 'absent', others }
  return findSent(refund, others)
}

// A person has said which entry it is. If the list lacks that entry, it is unclear again.
function findNamed(refund: Refund, others: readonly RefundFact[]): RefundMatch {
  const named = others.find(({ refundId }) => refundId === refund.namedEntry)
  const rest = others.filter(
    (fact) => fact !== named && isLive(fact) && !refund.listedBefore?.includes(fact.refundId),
  )
  return named ? { kind: 'ours', fact: named, others: rest } : { kind: 'unclear', others: rest }
}

export function isOfAmount({ amountMinor, currency }: Refund, { amount }: RefundFact): boolean {
  const known = currencyOf(currency)
  return compare(amount, fromMinor(amountMinor, known)) === 0
}

function findSent(refund: Refund, others: readonly RefundFact[]): RefundMatch {
  const isEqual = (fact: RefundFact) => isOfAmount(refund, fact)
  const fresh = others.filter(({ refundId }) => !refund.listedBefore?.includes(refundId))
  const live = fresh.filter(isLive)
  const alive = live.find(isEqual)
  if (alive) return { kind: 'ours', fact: alive, others: live.filter((fact) => fact !== alive) }
  if (live.length > 0) return { kind: 'unclear', others: live }
  const failed = refund.sends === 0 ? undefined : fresh.find(isEqual)
  if (!failed) return { kind: 'absent', others }
  if (refund.listedBefore === null) return { kind: 'unclear', others: fresh }
  return { kind: 'ours', fact: failed, others: [] }
}

export function isLive({ status }: RefundFact): boolean {
  return status !== 'failed'
}
