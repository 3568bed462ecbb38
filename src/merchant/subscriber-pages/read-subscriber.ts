// What the page of a subscriber shows: one subscription, found by the address of its page. Nothing
// here goes by the e-mail address, which several subscribers may share.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { HostedObject } from '../../kernel/basics/hosted-reference.ts'
import type { Offer } from '../checkout/offer.ts'
import { openSubscriptionOffer } from '../checkout/open-offer.ts'
import type { MerchantContext } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { listPayments } from '../payments/payment-store.ts'
import { localDay } from '../subscriptions/billing-period.ts'
import { findPeriod } from '../subscriptions/period-store.ts'
import type { Plan } from '../subscriptions/plan.ts'
import { findPlan } from '../subscriptions/plan-store.ts'
import {
  type Subscription,
  type SubscriptionWithoutCard,
  withoutCard,
} from '../subscriptions/subscription.ts'
import { findSubscription } from '../subscriptions/subscription-store.ts'
import { subscriberPath } from './subscriber-page.ts'
import { findSubscriberPageByPublicId } from './subscriber-page-store.ts'

export type Subscriber = {
  readonly subscription: SubscriptionWithoutCard
  readonly plan: Plan
  // Of this page.
  readonly path: string
  // With the page on which a period that is due can be paid.
  readonly offer: Offer
  readonly next: Next
}

// What happens next, with its day in the time zone of the plan.
export type Next =
  // The first period is not paid.
  | { readonly kind: 'start' }
  | { readonly kind: 'charge' | 'retry' | 'end'; readonly day: string }
  // Invoices are charged to the card when they are sent.
  | { readonly kind: 'invoiced' }
  // A charge is under way.
  | { readonly kind: 'charging' }
  | { readonly kind: 'ended'; readonly day: string }

export async function readSubscriber(
  context: MerchantContext,
  { tenant, id: publicId }: HostedObject,
): Promise<Subscriber | undefined> {
  const { sql } = context.database
  const page = await findSubscriberPageByPublicId(sql, tenant, publicId)
  if (!page) return undefined
  const id = page.subscriptionId
  const subscription = assertDefined(
    await findSubscription(sql, tenant, id),
    'a page of no subscription',
  )
  const { planId, period } = subscription
  const [plan, offer, newest] = await Promise.all([
    findPlan(sql, tenant, planId),
    openSubscriptionOffer(context, { tenant, id }),
    findPeriod(sql, tenant, id, period),
  ])
  const agreed = assertDefined(plan, 'a subscription without a plan')
  const isPaid = newest?.paidAt !== null && newest?.paidAt !== undefined
  return {
    subscription: withoutCard(subscription),
    plan: agreed,
    path: subscriberPath(tenant, publicId),
    offer: assertDefined(offer, 'a subscription without an offer'),
    next: nextOf(subscription, agreed, isPaid),
  }
}

export function mayCancel({ subscription }: Subscriber): boolean {
  return subscription.status !== 'cancelled' && !subscription.cancelAtPeriodEnd
}

const paymentsMax = 12

export type History = { readonly payments: readonly Payment[]; readonly older: string | undefined }

// Newest first. `after` is the last one of the part before.
export async function readHistory(
  { database }: MerchantContext,
  { offer: { tenant }, subscription: { id } }: Subscriber,
  after: string | undefined,
): Promise<History> {
  const payments = await listPayments(database.sql, tenant, {
    subscriberId: id,
    startingAfter: after,
    limit: paymentsMax + 1,
  })
  const shown = payments.slice(0, paymentsMax)
  return { payments: shown, older: payments.length > paymentsMax ? shown.at(-1)?.id : undefined }
}

function nextOf(subscription: Subscription, { timeZone }: Plan, isPaid: boolean): Next {
  const { status, nextAt, cancelledAt, cancelAtPeriodEnd, scheduleId } = subscription
  const day = (moment: Date | null) =>
    localDay(assertDefined(moment ?? undefined, 'a subscription without its time'), timeZone)
  switch (status) {
    case 'incomplete':
      return { kind: 'start' }
    case 'cancelled':
      return { kind: 'ended', day: day(cancelledAt) }
    case 'past_due':
      return { kind: 'retry', day: day(nextAt) }
    case 'active':
      if (scheduleId !== null) return { kind: 'invoiced' }
      if (!isPaid) return { kind: 'charging' }
      return { kind: cancelAtPeriodEnd ? 'end' : 'charge', day: day(nextAt) }
  }
}
