// What a recurring schedule may charge to the card of a subscription: what its customer agreed to,
// and no more. Pure; checked when people choose the card, and again before each charge.
import { type Interval, periodStart } from '../../kernel/basics/interval.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { ProviderName } from '../provider/provider.ts'
import { intervalOf, intervalText, type Plan } from './plan.ts'
import type { Subscription } from './subscription.ts'

export type AgreedTerms = {
  readonly subscription: Subscription
  readonly plan: Plan
  // The subscription's own renewal is under way.
  readonly isCharging: boolean
  // The first day that is not paid for, of the subscription's own periods.
  readonly paidBefore: string | null
  // The newest day for which a schedule has charged the card.
  readonly lastDay: string | undefined
}

export type WantedCharge = {
  readonly currency: string
  readonly amountMinor: bigint
  // Of the period.
  readonly day: string
  readonly interval: Interval
}

// Undefined if the card can be charged so.
export function termsProblem(
  { subscription, plan, isCharging, paidBefore, lastDay }: AgreedTerms,
  { currency, amountMinor, day, interval }: WantedCharge,
  provider: ProviderName,
): string | undefined {
  const problem = cardProblem(subscription, provider)
  if (problem !== undefined) return problem
  if (isCharging) return 'A renewal of the subscription is under way. Try again later.'
  if (currency !== plan.currency) {
    return `The customer agreed to ${plan.currency}, and the invoice is in ${currency}.`
  }
  if (amountMinor > plan.amountMinor) {
    const agreed = majorText(plan.amountMinor, currencyOf(plan.currency).decimals)
    return `The customer agreed to at most ${plan.currency} ${agreed}.`
  }
  if (interval.unit !== plan.intervalUnit || interval.count !== plan.intervalCount) {
    return `The customer agreed to a charge ${intervalText(plan)}.`
  }
  const next = lastDay === undefined ? null : periodStart(lastDay, intervalOf(plan), 2)
  const earliest = [paidBefore, next]
    .filter((one) => one !== null)
    .toSorted()
    .at(-1)
  if (earliest !== undefined && day < earliest) {
    return `The customer has paid until ${earliest}. Choose that day or a later one.`
  }
  return undefined
}

function cardProblem(
  { status, cancelAtPeriodEnd, cardSealed, cardProvider }: Subscription,
  provider: ProviderName,
): string | undefined {
  if (status === 'cancelled') return 'The subscription was cancelled.'
  if (cancelAtPeriodEnd) return 'The subscription ends after the paid period.'
  if (status !== 'active') return 'The customer has not paid the subscription.'
  if (cardSealed === null) return 'The subscription has no saved card.'
  if (cardProvider !== provider) return 'The saved card belongs to another payment provider.'
  return undefined
}
