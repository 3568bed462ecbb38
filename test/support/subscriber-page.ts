// The subscriber's own page, and a new card on it.
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import type { Payment } from '../../src/merchant/payments/payment.ts'
import { getSubscriberPage } from '../../src/merchant/subscriber-pages/get-subscriber-page.ts'
import { pressPay } from './payments.ts'
import type { Subscribed } from './subscriptions.ts'
import type { World } from './world.ts'

export async function ownPage(
  { context }: World,
  { tenant, id }: Pick<Subscribed, 'tenant' | 'id'>,
): Promise<string> {
  const actor = { ...tenant, kind: 'system', name: 'test' } as const
  const page = await runOperation(getSubscriberPage, context, actor, { id })
  if (!page) throw new Error('the address is not shown')
  return new URL(page.url).pathname
}

// The subscriber is on the provider's page, to enter the new card. Its check is the newest one.
export async function changingCard(world: World, one: Subscribed): Promise<Payment> {
  const answer = await pressPay(world, `${await ownPage(world, one)}/card`)
  if (answer.status !== 303) throw new Error(`it answered ${answer.status}: ${answer.text}`)
  const newest = (await cardChecksOf(world, one)).at(-1)
  if (!newest) throw new Error('no card is checked')
  return newest
}

// Enters the card and comes back.
export async function changedCard(world: World, one: Subscribed, card = 'visa_3ds') {
  const check = await changingCard(world, one)
  await world.simulator.pay(one.tenant, check.providerReference, card)
  return world.call('GET', `${await ownPage(world, one)}/card/${check.id}`)
}

// The oldest first.
export function cardChecksOf(
  { database }: World,
  { tenant, id }: Pick<Subscribed, 'tenant' | 'id'>,
): Promise<Payment[]> {
  return database.sql<Payment[]>`
    select *
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and card_subscription_id = ${id}
    order by id`
}
