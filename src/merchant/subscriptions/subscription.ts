// A subscription: a payer who agreed to a plan, and whose card is charged for each period.
//
//   incomplete the payer has not paid the first period; its page is open
//   active the newest period is paid, or its charge is under way; or a recurring schedule
//               charges the card instead
//   past_due the charge of the newest period failed; it is retried, and the payer can pay it
//               on the page
//   cancelled nothing is charged any more
//
// The cycle never shifts: a period that is paid late ends at its original time.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { periodOn, periodStart } from '../../kernel/basics/interval.ts'
import type { ProviderName } from '../provider/provider.ts'
import { localDay, startOfDay } from './billing-period.ts'
import { intervalOf, type Plan } from './plan.ts'

export type SubscriptionStatus = 'incomplete' | 'active' | 'past_due' | 'cancelled'

export type Subscription = {
  readonly id: string
  readonly planId: string
  readonly status: SubscriptionStatus
  readonly payerEmail: string
  readonly payerName: string | null
  // The language that they chose last, such as `fr-CA`.
  readonly payerLocale: string | null
  readonly cardSealed: Buffer | null
  readonly cardEmail: string | null
  // The provider that knows the card.
  readonly cardProvider: ProviderName | null
  // What the subscriber recognises it by.
  readonly cardBrand: string | null
  readonly cardLast4: string | null
  // The payment that it comes from; null for a card from before this was kept.
  readonly cardPaymentId: string | null
  readonly anchorDay: string | null
  readonly period: number
  // Null also while a recurring schedule charges the card.
  readonly nextAt: Date | null
  // The recurring schedule that charges the card. The subscription is then not renewed by itself,
  // also not after that schedule has ended.
  readonly scheduleId: string | null
  readonly cancelAtPeriodEnd: boolean
  readonly cancelledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

// The saved card is never read out.
export type SubscriptionWithoutCard = Omit<Subscription, 'cardSealed'> & {
  readonly cardSaved: boolean
}

export function withoutCard({ cardSealed, ...rest }: Subscription): SubscriptionWithoutCard {
  return { ...rest, cardSaved: cardSealed !== null }
}

export type Period = {
  readonly number: number
  readonly startsOn: string | null
  readonly endsBefore: string | null
  readonly paidAt: Date | null
  readonly paymentId: string | null
  readonly sends: number
  readonly sentAt: Date | null
  readonly failures: number
  readonly createdAt: Date
}

// The associated data of the encrypted card token.
export function sealedCardRow(id: string): string {
  return `merchant.subscriptions/${id}`
}

const day = 24 * 60 * 60

// After each failure of a charge of ours: one, three, five and seven days after the first.
const retryDelaysSeconds = [day, 2 * day, 2 * day, 2 * day] as const

// Undefined after the last retry; the subscription then ends.
export function nextRetryAt(failures: number, now: Date): Date | undefined {
  const delay = retryDelaysSeconds[failures - 1]
  return delay === undefined ? undefined : addSeconds(now, delay)
}

// When the period after `number` is charged. Periods that have already started are skipped: a
// period that was not charged in time is never charged, and a payer never pays two at once.
export function nextRenewalAt(plan: Plan, anchorDay: string, number: number, now: Date): Date {
  const begun = periodOn(anchorDay, intervalOf(plan), localDay(now, plan.timeZone))
  return periodStartAt(plan, anchorDay, Math.max(number, begun) + 1)
}

// The period that is charged when a renewal is due: the current one.
export function renewalPeriod(plan: Plan, anchorDay: string, number: number, now: Date) {
  const interval = intervalOf(plan)
  const running = periodOn(anchorDay, interval, localDay(now, plan.timeZone))
  return periodDays(plan, anchorDay, Math.max(running, number + 1))
}

export function periodDays(plan: Plan, anchorDay: string, number: number) {
  const interval = intervalOf(plan)
  return {
    number,
    startsOn: periodStart(anchorDay, interval, number),
    endsBefore: periodStart(anchorDay, interval, number + 1),
  }
}

function periodStartAt(plan: Plan, anchorDay: string, number: number): Date {
  return startOfDay(periodStart(anchorDay, intervalOf(plan), number), plan.timeZone)
}
