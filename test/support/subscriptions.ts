// Subscriptions as a payer starts them: a plan, a subscription, and its first period paid by card.

import type { z } from 'zod'
import { hostedReference } from '../../src/kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import type { Payment } from '../../src/merchant/payments/payment.ts'
import {
  type CancelWhen,
  cancelSubscription,
} from '../../src/merchant/subscriptions/cancel-subscription.ts'
import { createPlan } from '../../src/merchant/subscriptions/create-plan.ts'
import { createSubscription } from '../../src/merchant/subscriptions/create-subscription.ts'
import { renewSubscriptionsSchedule } from '../../src/merchant/subscriptions/renew-subscriptions.ts'
import type { Period, Subscription } from '../../src/merchant/subscriptions/subscription.ts'
import { findSubscription } from '../../src/merchant/subscriptions/subscription-store.ts'
import { paidPayment, payment, type Shop, shop } from './payments.ts'
import type { World } from './world.ts'

export type Subscribed = Shop & {
  // Of the subscription.
  readonly id: string
  readonly page: string
}

type NewPlan = z.output<typeof createPlan.input>

const monthly: NewPlan = {
  name: 'Gold',
  currency: 'NGN',
  amountMinor: 100_000n,
  intervalUnit: 'month',
  intervalCount: 1,
  timeZone: 'UTC',
}

// A subscription whose first period is not paid.
export async function subscription(
  world: World,
  plan: Partial<NewPlan> = {},
  owner?: Shop,
): Promise<Subscribed> {
  const seller = owner ?? (await shop(world))
  const actor = { ...seller.tenant, kind: 'system', name: 'test' } as const
  const wanted = { ...monthly, ...plan }
  const { id: planId } = await runOperation(createPlan, world.context, actor, wanted)
  const payer = { payerEmail: 'payer@example.com', payerName: 'Ada Example' }
  const subscribing = { planId, ...payer }
  const { id } = await runOperation(createSubscription, world.context, actor, subscribing)
  return { ...seller, id, page: `/pay/s/${hostedReference(seller.tenant, id)}` }
}

// One whose payer has paid the first period with a test card.
export async function subscribed(
  world: World,
  plan: Partial<NewPlan> = {},
  owner?: Shop,
): Promise<Subscribed> {
  const one = await subscription(world, plan, owner)
  await paidPayment(world, one, one.page)
  return one
}

// Pay pressed on its page, the payer is at the provider.
export function paying(world: World, one: Subscribed) {
  return payment(world, one, one.page)
}

export function renewDue({ context }: Pick<World, 'context'>): Promise<void> {
  return renewSubscriptionsSchedule.run(context, new AbortController().signal)
}

export async function stateOf(
  { database }: World,
  { tenant, id }: Pick<Subscribed, 'tenant' | 'id'>,
): Promise<Subscription & { periods: Period[] }> {
  const found = await findSubscription(database.sql, tenant, id)
  if (!found) throw new Error(`there is no subscription ${id}`)
  const periods = await database.sql<Period[]>`
    select *
    from merchant.subscription_periods
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subscription_id = ${id}
    order by number`
  return { ...found, periods }
}

// The oldest first.
export async function chargesOf(
  { database }: World,
  { tenant, id }: { tenant: Tenant; id: string },
): Promise<Payment[]> {
  return database.sql<Payment[]>`
    select *
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subscription_id = ${id}
    order by id`
}

export function cancel(world: World, { tenant, id }: Subscribed, when: CancelWhen = 'now') {
  const actor = { ...tenant, kind: 'system', name: 'test' } as const
  return runOperation(cancelSubscription, world.context, actor, { id, when })
}

// After a test: what it leaves would be renewed through all the months of the next ones.
export async function cancelAll(world: World): Promise<void> {
  const rows = await world.database.sql<(Tenant & { id: string })[]>`
    select business_id, environment, id
    from merchant.subscriptions
    where next_at is not null`
  for (const { id, ...tenant } of rows) {
    const actor = { ...tenant, kind: 'system', name: 'test' } as const
    await runOperation(cancelSubscription, world.context, actor, { id, when: 'now' })
  }
}
