// The subscribers of the coffee shop, with every period that was due until now.
import { runOperation } from '../../kernel/operations/run-operation.ts'
import { cancelSubscription } from '../../merchant/subscriptions/cancel-subscription.ts'
import { createPlan } from '../../merchant/subscriptions/create-plan.ts'
import { createSubscription } from '../../merchant/subscriptions/create-subscription.ts'
import { renewSubscriptionsSchedule } from '../../merchant/subscriptions/renew-subscriptions.ts'
import { never, pay } from './sample-shop.ts'
import type { SampleWorld } from './sample-world.ts'

const currency = 'NGN'

export async function addPlan(
  world: SampleWorld,
  plan: { name: string; title: string; amountMinor: bigint },
): Promise<void> {
  const made = await runOperation(createPlan, world.context(), world.owner, {
    name: plan.title,
    currency,
    amountMinor: plan.amountMinor,
    intervalUnit: 'month',
    intervalCount: 1,
    timeZone: 'Africa/Lagos',
  })
  await world.keep(plan.name, made.id)
}

export type SampleSubscription = {
  readonly name: string
  readonly plan: string
  readonly payer: string
  readonly payerEmail: string
  readonly amountMinor: bigint
  // The moments at which a period is due, up to now.
  readonly renewals: readonly Date[]
  readonly isCancelled: boolean
}

// All periods in one step: the schedule of the present would charge a period that is overdue.
export async function subscribe(
  world: SampleWorld,
  subscription: SampleSubscription,
): Promise<void> {
  const { name, plan, payer, payerEmail, amountMinor, renewals, isCancelled } = subscription
  const planId = await world.find(plan)
  if (!planId) return
  const input = { planId, payerEmail, payerName: payer }
  const { id } = await runOperation(createSubscription, world.context(), world.owner, input)
  await world.keep(name, id)
  const first = {
    name: `${name}: first`,
    offer: name,
    kind: 'subscription',
    card: 'no_auth',
  } as const
  await pay(world, { ...first, amountMinor, payerEmail, ending: 'paid' })
  for (const moment of renewals) {
    world.waitUntil(moment)
    await renewSubscriptionsSchedule.run(world.context(), never())
  }
  if (!isCancelled) return
  const cancelling = { id, when: 'period_end' } as const
  await runOperation(cancelSubscription, world.context(), world.owner, cancelling)
}
