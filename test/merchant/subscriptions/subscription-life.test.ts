// @module-tag long
// Whole lives of subscriptions in random order: time, concurrent workers, a misbehaving provider, a
// payer on the page, pauses, verification, cancelling. After every step all invariants hold, and
// the provider did no more than is recorded; when the faults stop, everything ends.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { localDay } from '../../../src/merchant/subscriptions/billing-period.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { lift, pause } from '../../support/pauses.ts'
import { comeBack, pressPay } from '../../support/payments.ts'
import {
  cancel,
  chargesOf,
  renewDue,
  type Subscribed,
  stateOf,
  subscription,
} from '../../support/subscriptions.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2027-01-31T10:00:00.000Z'))
const world = useWorld({ clock })
const hourMs = 60 * 60 * 1000
const chargeCall = 'POST /tokenized-charges'
const timeZone = 'Europe/Berlin'

type Step = { readonly name: string; run(one: Subscribed): Promise<unknown> }

const hold: Step = { name: 'a pause', run: () => pause(world(), 'payments', 36 * 3600) }
const release: Step = { name: 'no pause', run: () => lift(world(), 'payments') }
const unverify: Step = { name: 'unverified', run: (one) => setVerified(one, 'rejected') }
const verify: Step = { name: 'verified', run: (one) => setVerified(one, 'verified') }

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(1, 6, 24, 72, 24 * 9, 24 * 33).map(passHours) },
  { weight: 4, arbitrary: fc.constantFrom(1, 3).map(workAtOnce) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        ...[{ operation: 'charge', effect: 'decline', count: 1 }],
        ...[{ operation: 'charge', effect: 'decline', count: 3 }],
        ...['drop', 'drop_after', 'refuse', 'refuse_after', 'unreadable'].map((effect) => ({
          operation: chargeCall,
          effect,
          count: 1,
        })),
        { operation: '*', effect: 'drop', count: 4 },
      )
      .map(order),
  },
  { weight: 2, arbitrary: fc.constantFrom('no_auth', 'do_not_honour', 'nothing').map(payOnPage) },
  { weight: 1, arbitrary: fc.constantFrom(hold, release, unverify, verify) },
)

// Rare by chance: a renewal that does not get through.
const opening = [
  order({ operation: chargeCall, effect: 'drop', count: 1 }),
  passHours(24 * 33),
  workAtOnce(1),
  passHours(1),
  workAtOnce(3),
]

const ends = fc.constantFrom<'never' | 'now' | 'period_end'>('never', 'now', 'period_end')
const units = fc.constantFrom<'day' | 'week' | 'month'>('day', 'week', 'month')
const reached = new Map<string, number>()

it('comes to a right end whatever happens', { timeout: 900_000 }, async () => {
  const lives = fc.tuple(units, fc.array(steps, { minLength: 24, maxLength: 24 }), ends)
  const property = fc.asyncProperty(lives, async ([intervalUnit, sequence, end]) => {
    const one = await subscription(world(), { intervalUnit, timeZone })
    await payOnPage('no_auth').run(one)
    const done: string[] = [intervalUnit]
    try {
      for (const { name, run } of [...opening, ...sequence]) {
        done.push(name)
        await run(one)
        await expectRight(one)
      }
      if (end !== 'never') await cancel(world(), one, end)
      await expectEnd(one)
    } catch (error) {
      throw new Error(`after ${done.join('; ')}; ${end}`, { cause: error })
    }
  })
  await fc.assert(property, { seed: 20270131, numRuns: 6, endOnFailure: true })
  // Else the test has stopped to test them.
  for (const what of ['active', 'past_due', 'cancelled', 'retry', 'sent again']) {
    expect(reached.get(what) ?? 0, what).toBeGreaterThan(0)
  }
})

function passHours(hours: number): Step {
  return {
    name: `${hours} hours pass`,
    async run() {
      clock.advance(hours * hourMs)
    },
  }
}

function workAtOnce(workers: number): Step {
  return {
    name: `${workers} workers`,
    run: () => Promise.all(Array.from({ length: workers }, () => renewDue(world()))),
  }
}

function order(rule: Record<string, unknown>): Step {
  return {
    name: `${rule.operation} will ${rule.effect}`,
    run: (one) => world().simulator.rule(one.tenant, rule),
  }
}

function payOnPage(card: string): Step {
  return {
    name: `the payer pays with ${card}`,
    async run(one) {
      const { status } = await pressPay(world(), one.page)
      if (status !== 303) return
      const payment = (await chargesOf(world(), one)).at(-1)
      if (card === 'nothing' || payment?.status !== 'pending' || !payment.checkoutUrl) return
      await world().simulator.pay(one.tenant, payment.providerReference, card)
      await comeBack(world(), payment.providerReference)
    },
  }
}

async function setVerified({ tenant }: Subscribed, status: string): Promise<void> {
  await world().database.sql`
    update merchant.profiles
    set kyc_status = ${status}
    where business_id = ${tenant.businessId}`
}

async function expectRight(one: Subscribed): Promise<void> {
  await world().simulator.drain()
  await expectInvariants(world().database)
  const { status, periods } = await stateOf(world(), one)
  const charges = await chargesOf(world(), one)
  tally(status)
  if (charges.filter(({ subscriptionPeriod: at }) => at === periods.at(-1)?.number).length > 1) {
    tally('retry')
  }
  if (periods.some(({ sends }) => sends > 1)) tally('sent again')
  for (const payment of charges) {
    const done = await world().simulator.effects(one.tenant, payment.providerReference)
    // An open one may have been charged, and we have not heard of it.
    const allowed = payment.succeededAt ? [1] : payment.status === 'failed' ? [0] : [0, 1]
    expect(allowed, `${payment.status} ${payment.id}`).toContain(done.charge ?? 0)
    const period = periods.find(({ number }) => number === payment.subscriptionPeriod)
    const isFirstTry = period?.startsOn && payment.createdAt >= period.createdAt
    if (isFirstTry) {
      expect(localDay(payment.createdAt, timeZone) >= (period.startsOn ?? '')).toBe(true)
    }
  }
  const ours = charges.filter(({ succeededAt, checkoutUrl }) => succeededAt && !checkoutUrl)
  const days = ours.map(({ createdAt }) => localDay(createdAt, timeZone))
  expect(new Set(days).size, 'days on which the card was charged').toBe(days.length)
}

// The faults stop and time goes by.
async function expectEnd(one: Subscribed): Promise<void> {
  await world().simulator.removeRules(one.tenant)
  await lift(world(), 'payments')
  await setVerified(one, 'verified')
  for (let hours = 0; hours < 24 * 40; hours += 6) {
    clock.advance(6 * hourMs)
    await renewDue(world())
    if (hours % 72 === 0) await drainJobs()
  }
  await drainJobs()
  await expectRight(one)
  const { status, periods, cancelAtPeriodEnd } = await stateOf(world(), one)
  const open = (await chargesOf(world(), one)).filter(({ status: at }) =>
    ['pending', 'processing'].includes(at),
  )
  expect(open).toEqual([])
  expect(status).toBe(status === 'cancelled' || cancelAtPeriodEnd ? 'cancelled' : 'active')
  if (status === 'active') {
    expect(periods.at(-1)?.paidAt).not.toBeNull()
    const today = localDay(clock.now(), timeZone)
    expect((periods.at(-1)?.endsBefore ?? '') > today, 'the period that runs is paid').toBe(true)
  }
  await cancel(world(), one)
}

async function drainJobs(): Promise<void> {
  const { context } = world()
  await world().simulator.drain()
  await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
}

function tally(what: string): void {
  reached.set(what, (reached.get(what) ?? 0) + 1)
}
