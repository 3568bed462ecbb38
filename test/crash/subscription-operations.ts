// Renewing a subscription: the saved card is charged, the answer is lost, the charge does not
// arrive, the card is declined and retried, or replaced. Counts how often the card was charged for
// the second period.
import { expect } from 'vitest'
import type { Payment } from '../../src/merchant/payments/payment.ts'
import { comeBack, eventsOf, pressPay } from '../support/payments.ts'
import { cardChecksOf, ownPage } from '../support/subscriber-page.ts'
import {
  chargesOf,
  type Subscribed,
  stateOf,
  subscribed,
  subscription,
} from '../support/subscriptions.ts'
import { withholdWebhooks } from './charge-operations.ts'
import type { Lane } from './lane.ts'
import { type Operation, operation } from './sweep.ts'

const hour = 60 * 60
const day = 24 * hour
// So long that nothing else is due in the day that the sweep waits afterwards.
const weekly = { intervalUnit: 'week' } as const

export const subscriptionOperations: readonly Operation[] = [
  operation({
    name: 'a payer subscribes',
    async setUp(lane) {
      await withholdWebhooks(lane)
      return subscription(lane.world, weekly)
    },
    run: payAndComeBack,
    again: payAndComeBack,
    async end(lane, one) {
      await expectActive(lane, one, ['payment.succeeded'])
      await expectMailed(lane, one, ['receipt', 'subscription_start'])
    },
    effects: chargedOnce,
  }),
  operation({
    name: 'a subscription is renewed',
    setUp: (lane) => renewable(lane),
    run: (lane) => lane.pass(7 * day),
    async end(lane, one) {
      await expectActive(lane, one, ['payment.succeeded', 'payment.succeeded'])
      await expectMailed(lane, one, ['receipt', 'receipt', 'subscription_start'])
    },
    effects: chargedOnce,
  }),
  operation({
    name: 'the answer to a renewal is lost',
    setUp: (lane) => renewable(lane, { operation: chargeCall, effect: 'drop_after', count: 1 }),
    run: (lane) => lane.pass(7 * day),
    end: (lane, one) => expectActive(lane, one, ['payment.succeeded', 'payment.succeeded']),
    effects: chargedOnce,
  }),
  operation({
    name: 'a renewal does not get through',
    setUp: (lane) => renewable(lane, { operation: chargeCall, effect: 'drop', count: 1 }),
    run: (lane) => lane.pass(7 * day),
    end: (lane, one) => expectActive(lane, one, ['payment.succeeded', 'payment.succeeded']),
    effects: chargedOnce,
  }),
  operation({
    name: 'a renewal is declined, and tried again',
    setUp: (lane) => renewable(lane, { operation: 'charge', effect: 'decline', count: 1 }),
    async run(lane) {
      await lane.pass(7 * day)
      // A service that is dead for a day has given the charge up.
      if (lane.isRunning()) await lane.pass(day)
    },
    // What was cut off is found out first; the retry comes a day after that.
    async again(lane) {
      await lane.pass(hour)
      await lane.pass(day)
    },
    end: (lane, one) =>
      expectActive(lane, one, ['payment.succeeded', 'payment.failed', 'payment.succeeded']),
    effects: chargedOnce,
  }),
  operation({
    name: 'a subscriber changes the card',
    setUp: (lane) => renewable(lane),
    run: changeCard,
    again: changeCard,
    async end({ world }, one) {
      expect(await stateOf(world, one)).toMatchObject({ status: 'active', cardLast4: '4246' })
      const checks = await cardChecksOf(world, one)
      expect(checks.map(({ status }) => status)).toEqual(['refunded'])
      expect(await chargesOf(world, one)).toHaveLength(1)
    },
    async effects({ world }, one) {
      const [check] = await cardChecksOf(world, one)
      const reference = check?.providerReference ?? ''
      return { tenant: one.tenant, reference, counts: { charge: 1, refund: 1 } }
    },
  }),
]

const cardToken = 'the-form-of-a-new-card'

// A subscriber who was cut off goes on where they were.
async function changeCard({ world }: Lane, one: Subscribed): Promise<void> {
  const page = `${await ownPage(world, one)}/card`
  const { status, text } = await pressPay(world, page, { token: cardToken })
  expect(status, text).toBe(303)
  const [check] = await cardChecksOf(world, one)
  const reference = check?.providerReference ?? ''
  const { charge = 0 } = await world.simulator.effects(one.tenant, reference)
  if (charge === 0) await world.simulator.pay(one.tenant, reference, 'visa_3ds')
  await world.call('GET', `${page}/${check?.id}`)
}

const chargeCall = 'POST /tokenized-charges'

async function renewable(lane: Lane, rule?: Record<string, unknown>): Promise<Subscribed> {
  await withholdWebhooks(lane)
  await endOthers(lane)
  const one = await subscribed(lane.world, weekly)
  if (rule) await lane.world.simulator.rule(one.tenant, rule)
  return one
}

// Those of earlier runs would be due as well, and take what is ordered for this one.
async function endOthers({ world }: Lane): Promise<void> {
  const { sql } = world.database
  await sql`
    update merchant.subscriptions
    set status = 'cancelled',
      next_at = null,
      cancelled_at = ${world.context.clock.now()}
    where status <> 'cancelled'`
}

const token = 'the-form-of-one-page'

// A payer who was cut off goes on where they were; once it is paid, the page says so.
async function payAndComeBack({ world }: Lane, one: Subscribed): Promise<void> {
  const { status, text } = await pressPay(world, one.page, { token })
  expect(status, text).toBeOneOf([303, 410])
  const [payment] = await chargesOf(world, one)
  const reference = payment?.providerReference ?? ''
  const { charge = 0 } = await world.simulator.effects(one.tenant, reference)
  if (charge === 0) await world.simulator.pay(one.tenant, reference)
  await comeBack(world, reference)
}

async function expectActive({ world }: Lane, one: Subscribed, events: string[]): Promise<void> {
  const { status, periods } = await stateOf(world, one)
  expect(status).toBe('active')
  expect(periods.filter(({ paidAt }) => paidAt === null)).toEqual([])
  const found = await eventsOf(world, one.tenant)
  expect(found.map(({ type }) => type)).toEqual(events)
}

// Each fact in one mail.
async function expectMailed({ world }: Lane, one: Subscribed, kinds: string[]): Promise<void> {
  const told = await world.database.sql<{ kind: string }[]>`
    select told.kind
    from merchant.payer_mails as told
    join kernel.mails as mail
      on mail.business_id = told.business_id
      and mail.id = told.mail_id
    where told.business_id = ${one.tenant.businessId}
    order by told.kind`
  expect(told.map(({ kind }) => kind)).toEqual(kinds)
  const [mails] = await world.database.sql`
    select count(*)::integer as count
    from kernel.mails
    where business_id = ${one.tenant.businessId}
      and kind in ('receipt', 'subscription')`
  expect(mails?.count).toBe(kinds.length)
}

// Of the newest payment; the invariants check that no other of its period was collected.
async function chargedOnce({ world }: Lane, one: Subscribed) {
  const newest: Payment | undefined = (await chargesOf(world, one)).at(-1)
  return { tenant: one.tenant, reference: newest?.providerReference ?? '', counts: { charge: 1 } }
}
