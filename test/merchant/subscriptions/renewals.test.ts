// Renewals with a controlled clock: the right day, once per period, retries, and failures.
import { afterEach, describe, expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { reserveRenewal } from '../../../src/merchant/subscriptions/reserve-renewal.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { lift, pause } from '../../support/pauses.ts'
import { comeBack, discrepanciesOf, eventsOf, shop } from '../../support/payments.ts'
import {
  cancel,
  cancelAll,
  chargesOf,
  paying,
  renewDue,
  type Subscribed,
  stateOf,
  subscribed,
} from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const start = new Date('2027-01-31T10:00:00.000Z')
const clock = manualClock(start)
const world = useWorld({ clock })
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const chargeCall = 'POST /tokenized-charges'

afterEach(() => expectInvariants(world().database))
afterEach(() => cancelAll(world()))

async function at(moment: string): Promise<void> {
  clock.set(new Date(moment))
  await renewDue(world())
}

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await renewDue(world())
}

const rule = (one: Subscribed, order: Record<string, unknown>) =>
  world().simulator.rule(one.tenant, order)
const quiet = (one: Subscribed) => rule(one, { operation: 'webhook', effect: 'withhold' })

const statuses = async (one: Subscribed) =>
  (await chargesOf(world(), one)).map(({ status }) => status)
const eventTypes = async (one: Subscribed) =>
  (await eventsOf(world(), one.tenant)).map(({ type }) => type)
// How often the card was really charged.
async function effects(one: Subscribed): Promise<number> {
  const charges = await chargesOf(world(), one)
  const counts = await Promise.all(
    charges.map(({ providerReference }) =>
      world().simulator.effects(one.tenant, providerReference),
    ),
  )
  return counts.reduce((sum, { charge = 0 }) => sum + charge, 0)
}

// Steps from hour to hour for so many days, and tells the days on which someone was charged.
async function chargedDays(one: Subscribed, days: number, stepHours: number): Promise<string[]> {
  for (let step = 0; step < (days * 24) / stepHours; step += 1) await pass(stepHours * hourMs)
  return (await chargesOf(world(), one)).map(({ createdAt }) => createdAt.toISOString())
}

describe('a renewal', () => {
  // covers: Subscription charges and renewals are referred to by `subscription_id`
  // covers: payment.succeeded: sent when a payment link or QR charge succeeded
  it('charges the saved card at the first moment of the next period, and not before', async () => {
    clock.set(start)
    const one = await subscribed(world())
    await at('2027-02-27T23:59:59.999Z')
    expect(await chargesOf(world(), one)).toHaveLength(1)
    await at('2027-02-28T00:00:00.000Z')
    const [, renewal] = await chargesOf(world(), one)
    expect(renewal).toMatchObject({
      status: 'succeeded',
      subscriptionPeriod: 2,
      amountMinor: 100_000n,
      payerEmail: 'payer@example.com',
    })
    expect(await eventsOf(world(), one.tenant)).toMatchObject([
      { type: 'payment.succeeded' },
      {
        type: 'payment.succeeded',
        objectId: renewal?.id,
        data: { id: renewal?.id, subscription_id: one.id, status: 'succeeded' },
      },
    ])
    expect(await stateOf(world(), one)).toMatchObject({
      status: 'active',
      nextAt: new Date('2027-03-31T00:00:00.000Z'),
      periods: [{ number: 1 }, { number: 2, startsOn: '2027-02-28', endsBefore: '2027-03-31' }],
    })
  })

  it('keeps the last day of the month over two years, one of them with a leap day', async () => {
    clock.set(new Date('2027-01-31T10:00:00.000Z'))
    const one = await subscribed(world())
    const days = (await chargedDays(one, 430, 24)).map((moment) => moment.slice(0, 10))
    expect(days).toEqual([
      '2027-01-31',
      ...['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30', '2027-07-31'],
      ...['2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31'],
      ...['2028-02-29', '2028-03-31'],
    ])
    expect(await effects(one)).toBe(15)
  })

  it('comes back to 29 February after four years', async () => {
    clock.set(new Date('2028-02-29T10:00:00.000Z'))
    const one = await subscribed(world(), { intervalUnit: 'year' })
    for (const day of ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-28', '2032-02-29']) {
      await at(`${day}T00:00:00.000Z`)
    }
    const days = (await chargesOf(world(), one)).map(({ createdAt }) => createdAt.toISOString())
    expect(days.map((moment) => moment.slice(0, 10))).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ])
  })

  it('is due by the days of its time zone, also when the clocks change there', async () => {
    clock.set(new Date('2027-03-26T22:30:00.000Z'))
    // There the clock goes forward on the 28th.
    const one = await subscribed(world(), { intervalUnit: 'day', timeZone: 'Europe/Berlin' })
    expect(await chargedDays(one, 3.5, 0.5)).toEqual([
      '2027-03-26T22:30:00.000Z',
      '2027-03-26T23:00:00.000Z',
      '2027-03-27T23:00:00.000Z',
      '2027-03-28T22:00:00.000Z',
      '2027-03-29T22:00:00.000Z',
    ])
  })

  it('is charged once by two workers that find it due at once', async () => {
    const one = await subscribed(world())
    clock.advance(32 * dayMs)
    await Promise.all(Array.from({ length: 6 }, () => renewDue(world())))
    expect(await statuses(one)).toEqual(['succeeded', 'succeeded'])
    expect(await effects(one)).toBe(2)
  })

  it('is not due any more for a worker that comes to it when another is done', async () => {
    const one = await subscribed(world())
    await pass(32 * dayMs)
    const { context, database } = world()
    const late = await database.transaction((tx) =>
      reserveRenewal(tx, context, one.tenant, one.id, 'simulator'),
    )
    expect(late).toEqual({ kind: 'nothing' })
    expect(await chargesOf(world(), one)).toHaveLength(2)
  })

  it('happens for several businesses and in the sandbox, each with its own card', async () => {
    const live = await subscribed(world())
    const test = await subscribed(world(), {}, await shop(world(), { environment: 'test' }))
    await pass(32 * dayMs)
    expect([await effects(live), await effects(test)]).toEqual([2, 2])
  })
})

describe('after a time in which nothing could be charged', () => {
  it('only the period that runs is charged, and those before it never are', async () => {
    clock.set(start)
    const one = await subscribed(world())
    await at('2027-05-10T09:00:00.000Z')
    await pass(hourMs)
    const { periods, nextAt } = await stateOf(world(), one)
    expect(periods).toMatchObject([
      { number: 1 },
      { number: 4, startsOn: '2027-04-30', endsBefore: '2027-05-31' },
    ])
    expect(nextAt?.toISOString()).toBe('2027-05-31T00:00:00.000Z')
    expect(await effects(one)).toBe(2)
    const [act] = await world().database.sql`
      select detail
      from kernel.audit_log
      where business_id = ${one.tenant.businessId}
        and action = 'payment.create'
      order by id desc
      limit 1`
    expect(act?.detail).toMatchObject({ subscriptionId: one.id, period: 4, passedOver: 2 })
  })

  it('a renewal that met a pause runs when it is over', async () => {
    const one = await subscribed(world())
    clock.advance(32 * dayMs)
    await pause(world(), 'payments', 3600)
    await renewDue(world())
    expect(await chargesOf(world(), one)).toHaveLength(1)
    await lift(world(), 'payments')
    await renewDue(world())
    expect(await statuses(one)).toEqual(['succeeded', 'succeeded'])
  })

  it('a renewal waits until the business is verified again; the sandbox does not', async () => {
    const one = await subscribed(world())
    const sandbox = await shop(world(), { ...one.tenant, environment: 'test' })
    const test = await subscribed(world(), {}, sandbox)
    const setStatus = (status: string) => world().database.sql`
      update merchant.profiles
      set kyc_status = ${status}
      where business_id = ${one.tenant.businessId}`
    await setStatus('rejected')
    await pass(32 * dayMs)
    expect([await effects(one), await effects(test)]).toEqual([1, 2])
    await setStatus('verified')
    await renewDue(world())
    expect(await effects(one)).toBe(2)
  })
})

describe('a renewal that fails', () => {
  // covers: a failed renewal sets the subscription to `past_due`
  // covers: payment.failed: sent when a checkout attempt was
  // covers: data: amount, currency
  it('makes it past due, tells of it, and is tried again a day later', async () => {
    const one = await subscribed(world())
    await rule(one, {
      operation: 'charge',
      effect: 'decline',
      reason: 'Insufficient Funds',
      count: 1,
    })
    await pass(32 * dayMs)
    const [, failed] = await chargesOf(world(), one)
    expect(await stateOf(world(), one)).toMatchObject({
      status: 'past_due',
      nextAt: new Date(clock.now().getTime() + dayMs),
    })
    const [, event] = await eventsOf(world(), one.tenant)
    expect(event).toEqual({
      type: 'payment.failed',
      objectId: failed?.id,
      data: {
        id: failed?.id,
        amount: 100_000,
        currency: 'NGN',
        status: 'failed',
        failure_reason: 'Insufficient Funds',
        subscription_id: one.id,
      },
    })
    await pass(dayMs - 1)
    expect(await statuses(one)).toEqual(['succeeded', 'failed'])
    await pass(1)
    expect(await statuses(one)).toEqual(['succeeded', 'failed', 'succeeded'])
    const charges = await chargesOf(world(), one)
    expect(charges.map(({ subscriptionPeriod }) => subscriptionPeriod)).toEqual([1, 2, 2])
    expect((await stateOf(world(), one)).status).toBe('active')
    expect(await eventTypes(one)).toEqual([
      'payment.succeeded',
      'payment.failed',
      'payment.succeeded',
    ])
  })

  it('is tried one, three, five and seven days after the first, then it is over', async () => {
    const one = await subscribed(world())
    await rule(one, { operation: 'charge', effect: 'decline' })
    clock.advance(32 * dayMs)
    const due = clock.now().getTime()
    await renewDue(world())
    for (let hour = 0; hour < 10 * 24; hour += 4) await pass(4 * hourMs)
    const [, ...tries] = await chargesOf(world(), one)
    const days = tries.map(({ createdAt }) => (createdAt.getTime() - due) / dayMs)
    expect(days).toEqual([0, 1, 3, 5, 7])
    expect(await stateOf(world(), one)).toMatchObject({ status: 'cancelled', nextAt: null })
    expect((await world().call('GET', one.page)).status).toBe(410)
  })

  it('keeps the rhythm when it is paid late, and charges nothing twice on one day', async () => {
    clock.set(new Date('2027-06-07T08:00:00.000Z'))
    const one = await subscribed(world(), { intervalUnit: 'day' })
    await rule(one, { operation: 'charge', effect: 'decline', count: 2 })
    await at('2027-06-08T00:00:00.000Z')
    for (let step = 0; step < 4 * 24; step += 1) await pass(hourMs)
    const charges = await chargesOf(world(), one)
    expect(
      charges.map(({ status, subscriptionPeriod, createdAt }) => [
        createdAt.toISOString().slice(0, 10),
        subscriptionPeriod,
        status,
      ]),
    ).toEqual([
      ['2027-06-07', 1, 'succeeded'],
      ['2027-06-08', 2, 'failed'],
      ['2027-06-09', 2, 'failed'],
      ['2027-06-11', 2, 'succeeded'],
      ['2027-06-12', 6, 'succeeded'],
    ])
  })

  it('can be paid by the payer on the page, with another card, which is charged next', async () => {
    const one = await subscribed(world())
    const before = await stateOf(world(), one)
    await rule(one, { operation: 'charge', effect: 'decline', count: 1 })
    await pass(32 * dayMs)
    clock.advance(dayMs - 10 * 60 * 1000)
    const begun = await paying(world(), one)
    // The retry is due, and waits for the payer.
    await pass(10 * 60 * 1000)
    expect(await statuses(one)).toEqual(['succeeded', 'failed', 'pending'])
    await world().simulator.pay(begun.tenant, begun.reference, 'preauthorised')
    await comeBack(world(), begun.reference)
    const now = await stateOf(world(), one)
    expect(now).toMatchObject({ status: 'active', period: 2 })
    expect(now.cardSealed).not.toEqual(before.cardSealed)
    await pass(dayMs)
    expect(await statuses(one)).toEqual(['succeeded', 'failed', 'succeeded'])
  })

  it('is not counted when it was the payer who was declined', async () => {
    const one = await subscribed(world())
    await rule(one, { operation: 'charge', effect: 'decline', count: 2 })
    await pass(32 * dayMs)
    const begun = await paying(world(), one)
    await world().simulator.pay(begun.tenant, begun.reference)
    await comeBack(world(), begun.reference)
    expect(await stateOf(world(), one)).toMatchObject({
      status: 'past_due',
      periods: [{}, { failures: 1 }],
    })
    await pass(dayMs)
    expect((await stateOf(world(), one)).status).toBe('active')
  })

  it('after which it succeeds all the same is given back, and tried as if it had not', async () => {
    const one = await subscribed(world())
    await rule(one, { operation: 'charge', effect: 'succeed_after_decline', count: 1 })
    await pass(32 * dayMs)
    const [, failed] = await chargesOf(world(), one)
    const reference = failed?.providerReference ?? ''
    await world().simulator.control(one.tenant, 'POST', '/proceed', {
      subject: 'charge',
      reference,
    })
    await world().simulator.drain()
    await drainJobs()
    expect(await discrepanciesOf(world(), one.tenant)).toMatchObject([
      { cause: 'late_success', objectId: failed?.id },
    ])
    expect((await stateOf(world(), one)).status).toBe('past_due')
    await pass(dayMs)
    expect(await statuses(one)).toEqual(['succeeded', 'failed', 'succeeded'])
  })

  it('because no card was saved says so, and leaves it to the payer', async () => {
    const one = await subscribed(world())
    await world().database.sql`
      update merchant.subscriptions
      set card_sealed = null,
        card_email = null
      where id = ${one.id}`
    await pass(32 * dayMs)
    expect(await chargesOf(world(), one)).toMatchObject([
      {},
      { status: 'failed', failureReason: 'no card is saved' },
    ])
    expect((await world().call('GET', one.page)).status).toBe(200)
  })

  it('cannot be cancelled as a payment while it is on its way', async () => {
    const one = await subscribed(world())
    await rule(one, { operation: 'charge', effect: 'stay_pending', count: 1 })
    await pass(32 * dayMs)
    const [, renewal] = await chargesOf(world(), one)
    expect(renewal?.status).toBe('processing')
    const path = `/merchant/api/v1/payments/${renewal?.id}/cancel`
    expect((await world().call('POST', path, { key: one.key })).status).toBe(400)
  })
})

describe('an answer that does not come', () => {
  it.each(['drop_after', 'refuse_after', 'unreadable'])(
    '(%s) is looked up, and the card is not charged again',
    async (effect) => {
      const one = await subscribed(world())
      await quiet(one)
      await rule(one, { operation: chargeCall, effect, count: 1 })
      await pass(32 * dayMs)
      expect(await statuses(one)).toEqual(['succeeded', 'processing'])
      await pass(2 * 60 * 1000)
      expect(await statuses(one)).toEqual(['succeeded', 'succeeded'])
      expect(await effects(one)).toBe(2)
    },
  )

  it('to a charge that the provider never got is sent again, under the same reference', async () => {
    const one = await subscribed(world())
    await rule(one, { operation: chargeCall, effect: 'drop', count: 1 })
    await pass(32 * dayMs)
    await pass(5 * 60 * 1000)
    expect(await statuses(one)).toEqual(['succeeded', 'processing'])
    await pass(5 * 60 * 1000)
    expect(await statuses(one)).toEqual(['succeeded', 'succeeded'])
    expect((await stateOf(world(), one)).periods).toMatchObject([{}, { sends: 2, failures: 0 }])
    expect(await effects(one)).toBe(2)
  })

  it('for a day makes it failed, and the next day it is tried again', async () => {
    const one = await subscribed(world())
    await rule(one, { operation: chargeCall, effect: 'drop' })
    await pass(32 * dayMs)
    for (let hour = 0; hour < 24; hour += 1) await pass(hourMs)
    expect(await stateOf(world(), one)).toMatchObject({ status: 'past_due' })
    await world().simulator.removeRules(one.tenant)
    await pass(dayMs)
    expect(await statuses(one)).toEqual(['succeeded', 'failed', 'succeeded'])
    expect(await effects(one)).toBe(2)
  })

  it('is not sent again after a cancel, and what was charged stays the period of the payer', async () => {
    const unsent = await subscribed(world())
    const sent = await subscribed(world())
    for (const [one, effect] of [
      [unsent, 'drop'],
      [sent, 'drop_after'],
    ] as const) {
      await quiet(one)
      await rule(one, { operation: chargeCall, effect, count: 1 })
    }
    await pass(32 * dayMs)
    await cancel(world(), unsent)
    await cancel(world(), sent)
    clock.advance(hourMs)
    await drainJobs()
    await renewDue(world())
    expect(await statuses(sent)).toEqual(['succeeded', 'succeeded'])
    expect(await stateOf(world(), sent)).toMatchObject({ status: 'cancelled' })
    clock.advance(26 * hourMs)
    await drainJobs()
    expect(await statuses(unsent)).toEqual(['succeeded', 'failed'])
    expect(await effects(unsent)).toBe(1)
  })
})

describe('a charge that is on its way', () => {
  it('is found by the poller when the worker is late', async () => {
    const one = await subscribed(world())
    await quiet(one)
    await rule(one, { operation: chargeCall, effect: 'drop_after', count: 1 })
    await pass(32 * dayMs)
    clock.advance(60 * 1000)
    await drainJobs()
    expect(await statuses(one)).toEqual(['succeeded', 'succeeded'])
  })

  it('can be cancelled at the end of its period, and ends at once when it fails', async () => {
    const one = await subscribed(world())
    await rule(one, { operation: 'charge', effect: 'stay_pending', count: 1 })
    await pass(32 * dayMs)
    await cancel(world(), one, 'period_end')
    const [, renewal] = await chargesOf(world(), one)
    await world().simulator.control(one.tenant, 'POST', '/act', {
      subject: 'charge',
      reference: renewal?.providerReference,
      step: 'fail',
    })
    await pass(2 * 60 * 1000)
    expect(await statuses(one)).toEqual(['succeeded', 'failed'])
    expect((await stateOf(world(), one)).status).toBe('cancelled')
  })
})

async function drainJobs(): Promise<void> {
  const { context } = world()
  await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
}
