import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { subscriptionUrl } from '../checkout/page-addresses.ts'
import { defineOperation } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { listPayments } from '../payments/payment-store.ts'
import type { Plan } from './plan.ts'
import { findPlan } from './plan-store.ts'
import { type SubscriptionWithoutCard, withoutCard } from './subscription.ts'
import { findSubscription } from './subscription-store.ts'

export type SubscriptionStory = {
  readonly subscription: SubscriptionWithoutCard
  readonly plan: Plan
  // The subscriber's own page.
  readonly url: string
  // Newest first.
  readonly payments: readonly Payment[]
}

const paymentsMax = 100

export const getSubscription = defineOperation({
  name: 'get-subscription',
  summary: `Show a subscription with its plan and newest ${paymentsMax} payments`,
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, publicUrl }, actor, { id }): Promise<SubscriptionStory> {
    const subscription = await findSubscription(sql, actor, id)
    if (!subscription) throw notFound('subscription')
    const [plan, payments] = await Promise.all([
      findPlan(sql, actor, subscription.planId),
      listPayments(sql, actor, { subscriberId: id, limit: paymentsMax }),
    ])
    if (!plan) throw new Error(`subscription ${id} has no plan`)
    const url = subscriptionUrl(publicUrl, actor, id)
    return { subscription: withoutCard(subscription), plan, url, payments }
  },
})
