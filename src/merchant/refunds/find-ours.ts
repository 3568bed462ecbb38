import { assertDefined } from '../../kernel/basics/assert.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { compare } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import type { RefundFact } from '../provider/provider.ts'
import type { Refund } from './refund.ts'

// The one of the provider's refunds of a charge that is `refund`. Once accepted it has the
// provider's id. Before that it is told by its amount, and refunds of equal amounts are told apart
// by the ids of those that we know already: one refund of a payment is open at a time, so whatever
// is left over is it. Of several left over, one that lives is rather it than one that failed.
export function findOurs(
  refund: Refund,
  refundsOfPayment: readonly Refund[],
  facts: readonly RefundFact[],
): RefundFact | undefined {
  if (refund.providerRefundId !== null) {
    return facts.find(({ refundId }) => refundId === refund.providerRefundId)
  }
  const currency = assertDefined(findCurrency(refund.currency), 'a refund in no currency')
  const amount = fromMinor(refund.amountMinor, currency)
  const known = new Set(refundsOfPayment.map(({ providerRefundId }) => providerRefundId))
  const left = facts.filter(
    (fact) => !known.has(fact.refundId) && compare(fact.amount, amount) === 0,
  )
  return left.find(({ status }) => status !== 'failed') ?? left[0]
}
