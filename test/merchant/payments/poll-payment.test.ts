// The poller: nothing is lost if no webhook arrives and no payer returns.
import { afterEach, expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { pollStalePaymentsSchedule } from '../../../src/merchant/payments/poll-payment.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  type Begun,
  discrepanciesOf,
  eventsOf,
  newCode,
  payment,
  shop,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
const minuteMs = 60_000

afterEach(() => expectInvariants(world().database))

// Lets time pass and does what has become due.
async function pass(minutes: number): Promise<void> {
  clock.advance(minutes * minuteMs)
  const { context } = world()
  await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
}

async function quietPayment(): Promise<Begun> {
  const begun = await payment(world())
  await world().simulator.rule(begun.tenant, { operation: 'webhook', effect: 'withhold' })
  return begun
}

async function looksPlanned({ id }: Begun): Promise<number> {
  const rows = await world().database.sql`
    select
    from kernel.jobs
    where kind = 'look-at-payment'
      and payload ->> 'paymentId' = ${id}`
  return rows.length
}

it('finds a success that no one told of, and then looks no more', async () => {
  const begun = await quietPayment()
  await world().simulator.pay(begun.tenant, begun.reference)
  await pass(1)
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
  expect(await looksPlanned(begun)).toBe(0)
})

// covers: failed = declined or did not complete, no money collected
// covers: payment.failed: sent when a checkout attempt was
it('lets a payment time out only after the session has ended and a last look', async () => {
  const owner = await shop(world())
  const page = await newCode(world(), owner, { singleUse: true })
  const begun = await payment(world(), owner, page)
  for (let minute = 0; minute < 34; minute += 2) await pass(2)
  expect((await storedPayment(world(), begun)).status).toBe('pending')
  await pass(2)
  expect(await storedPayment(world(), begun)).toMatchObject({
    status: 'failed',
    failureReason: 'abandoned',
  })
  expect(await eventsOf(world(), begun.tenant)).toMatchObject([{ type: 'payment.failed' }])
  expect((await world().call('GET', page)).status).toBe(200)
  expect(await looksPlanned(begun)).toBe(0)
})

it('does not let a payment time out while the provider cannot be asked', async () => {
  const begun = await quietPayment()
  await world().simulator.pay(begun.tenant, begun.reference)
  await world().simulator.rule(begun.tenant, { operation: '*', effect: 'refuse', status: 503 })
  await pass(60)
  await pass(60)
  expect((await storedPayment(world(), begun)).status).toBe('pending')
  await world().simulator.removeRules(begun.tenant)
  await pass(60)
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
})

it('waits on for a charge that the provider has not decided', async () => {
  const begun = await quietPayment()
  const rule = { operation: 'charge', effect: 'succeed_after_timeout' }
  await world().simulator.rule(begun.tenant, rule)
  await world().simulator.pay(begun.tenant, begun.reference)
  await pass(60)
  await pass(60)
  expect((await storedPayment(world(), begun)).status).toBe('processing')
  const by = { subject: 'charge', reference: begun.reference }
  await world().simulator.control(begun.tenant, 'POST', '/proceed', by)
  await pass(60)
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
})

it('finds the settlement that comes days later', async () => {
  const begun = await quietPayment()
  await world().simulator.rule(begun.tenant, { operation: 'charge', effect: 'settle_later' })
  await world().simulator.pay(begun.tenant, begun.reference)
  await pass(1)
  expect(await storedPayment(world(), begun)).toMatchObject({
    status: 'succeeded',
    settledAt: null,
  })
  await pass(3 * 24 * 60)
  const by = { subject: 'charge', reference: begun.reference }
  await world().simulator.control(begun.tenant, 'POST', '/proceed', by)
  await pass(24 * 60)
  expect((await storedPayment(world(), begun)).settledAt).not.toBeNull()
  expect(await looksPlanned(begun)).toBe(0)
})

// covers: never reaches the processor
it('notices that a cancelled payment was paid all the same', async () => {
  const begun = await quietPayment()
  const { id, key, tenant, reference } = begun
  await world().call('POST', `/merchant/api/v1/payments/${id}/cancel`, { key })
  await world().simulator.pay(tenant, reference)
  await pass(1)
  expect(await discrepanciesOf(world(), tenant)).toMatchObject([{ cause: 'late_success' }])
  await pass(40)
  expect(await discrepanciesOf(world(), tenant)).toHaveLength(1)
  expect(await looksPlanned(begun)).toBe(0)
})

it('ends a payment whose jobs were lost', async () => {
  const begun = await payment(world())
  const paid = await quietPayment()
  await world().simulator.pay(paid.tenant, paid.reference)
  await world().database.sql`delete from kernel.jobs`
  const sweep = () => pollStalePaymentsSchedule.run(world().context, new AbortController().signal)
  clock.advance(24 * 60 * minuteMs)
  await sweep()
  expect((await storedPayment(world(), begun)).status).toBe('pending')
  clock.advance(31 * minuteMs)
  await sweep()
  expect((await storedPayment(world(), begun)).failureReason).toBe('abandoned')
  expect((await storedPayment(world(), paid)).status).toBe('succeeded')
})

it('looks at the others when one of the old ones cannot be looked at', async () => {
  const bad = await payment(world())
  const good = await payment(world())
  await world().database.sql`delete from kernel.jobs`
  clock.advance(25 * 60 * minuteMs)
  const { context } = world()
  const providerFor: typeof context.providerFor = async (tenant) => {
    if (tenant.businessId === bad.tenant.businessId) throw new Error('no provider')
    return context.providerFor(tenant)
  }
  const { signal } = new AbortController()
  await pollStalePaymentsSchedule.run({ ...context, providerFor }, signal)
  expect((await storedPayment(world(), good)).failureReason).toBe('abandoned')
  expect((await storedPayment(world(), bad)).status).toBe('pending')
  expect(world().logLines.join('')).toContain('could not poll a payment')
})

it('makes a break of a charge that stays undecided for days, until it ends', async () => {
  const owner = await shop(world())
  const page = await newCode(world(), owner, { singleUse: true })
  const begun = await payment(world(), owner, page)
  const { tenant, reference } = begun
  await world().simulator.rule(tenant, { operation: 'webhook', effect: 'withhold' })
  await world().simulator.rule(tenant, { operation: 'charge', effect: 'succeed_after_timeout' })
  await world().simulator.pay(tenant, reference)
  await pass(2 * 24 * 60)
  expect(await discrepanciesOf(world(), tenant)).toEqual([])
  await pass(24 * 60)
  await pass(60)
  await pass(6 * 60)
  expect(await discrepanciesOf(world(), tenant)).toMatchObject([
    { cause: 'payment_unresolved', objectId: begun.id, detail: { status: 'processing' } },
  ])
  // It could still be paid.
  expect((await world().call('GET', page)).status).toBe(409)
  const by = { subject: 'charge', reference }
  await world().simulator.control(tenant, 'POST', '/proceed', by)
  await pass(6 * 60)
  expect((await storedPayment(world(), begun)).status).toBe('succeeded')
  const [found] = await world().database.sql`
    select resolution
    from merchant.breaks
    where object_id = ${begun.id}`
  expect(found).toEqual({ resolution: 'the payment is succeeded' })
})
