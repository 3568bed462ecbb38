// Refunds: by a call, by a call whose answer is lost, and with an approval.
import { expect } from 'vitest'
import { createPeople } from '../../src/kernel/auth/people.ts'
import type { PaymentStatus } from '../../src/merchant/payments/payment.ts'
import { listRefundsOfPayment } from '../../src/merchant/refunds/refund-store.ts'
import { putThreshold } from '../merchant/refunds/paid-payment.ts'
import { type Begun, discrepanciesOf, eventsOf, shop, storedPayment } from '../support/payments.ts'
import { password } from '../support/people.ts'
import { putPerson } from '../support/put-person.ts'
import { totp } from '../support/totp.ts'
import { paidLongAgo, refundCall, withholdWebhooks } from './charge-operations.ts'
import type { Lane } from './lane.ts'
import { operation } from './sweep.ts'

const onceEach = { charge: 1, refund: 1 }

export const refundOperations = [
  operation({
    name: 'a merchant refunds a payment',
    setUp: (lane) => paid(lane),
    async run(lane, begun) {
      expect(await refund(lane, begun)).toBe(200)
    },
    // They do not know what became of it, and ask for the whole again.
    async again(lane, begun) {
      expect(await refund(lane, begun)).toBeOneOf([200, 400, 409])
      await askAgain(lane, begun)
    },
    end: (lane, begun) => expectRefunded(lane, begun, 'refunded', 100_000n),
    effects: (_lane, begun) => ({ ...begun, counts: onceEach }),
  }),
  operation({
    name: 'the answer to a refund is lost',
    async setUp(lane) {
      const begun = await paid(lane)
      const rule = { operation: refundCall, effect: 'drop_after', count: 1 }
      await lane.world.simulator.rule(begun.tenant, rule)
      return begun
    },
    async run(lane, begun) {
      expect(await refund(lane, begun, { amount: 40_000 })).toBe(502)
    },
    again: (lane, begun) => askAgain(lane, begun, { amount: 40_000 }),
    end: (lane, begun) => expectRefunded(lane, begun, 'partially_refunded', 40_000n),
    effects: (_lane, begun) => ({ ...begun, counts: onceEach }),
  }),
  operation({
    name: 'a refund does not get through',
    async setUp(lane) {
      const begun = await paid(lane)
      const rule = { operation: refundCall, effect: 'drop', count: 1 }
      await lane.world.simulator.rule(begun.tenant, rule)
      return begun
    },
    async run(lane, begun) {
      expect(await refund(lane, begun)).toBe(502)
    },
    // No one sends it again: it fails after a day.
    hoursMax: 30,
    end: (lane, begun) => expectFailed(lane, begun),
    effects: (_lane, begun) => ({ ...begun, counts: { charge: 1 } }),
  }),
  operation({
    name: 'a refund appears after it was given up',
    async setUp(lane) {
      const begun = await paid(lane)
      const { simulator } = lane.world
      await simulator.rule(begun.tenant, { operation: refundCall, effect: 'drop_after', count: 1 })
      await simulator.rule(begun.tenant, { operation: 'refund_list', effect: 'late' })
      return begun
    },
    async run(lane, begun) {
      expect(await refund(lane, begun)).toBe(502)
      await showAfterADay(lane, begun)
    },
    again: showAfterADay,
    // It is looked for once a day.
    hoursMax: 60,
    async end(lane, begun) {
      if ((await refundEffects(lane, begun)) === 0) await expectFailed(lane, begun)
      else await expectFoundLate(lane, begun)
    },
    // Killed before the call, it never reached the provider: there is nothing to find then.
    async effects(lane, begun) {
      const isSent = (await refundEffects(lane, begun)) > 0
      return { ...begun, counts: isSent ? onceEach : { charge: 1 } }
    },
  }),
  operation({
    name: 'a refund waits for a second person',
    async setUp(lane) {
      const begun = await paid(lane, 0n)
      return { ...begun, ...(await approver(lane, begun)) }
    },
    run: askAndApprove,
    async again(lane, subject) {
      // A code is taken once.
      await lane.pass(120)
      await askAndApprove(lane, subject)
    },
    end: (lane, begun) => expectRefunded(lane, begun, 'refunded', 100_000n),
    effects: (_lane, begun) => ({ ...begun, counts: onceEach }),
  }),
  operation({
    name: 'a refund fails after it was accepted',
    async setUp(lane) {
      const begun = await paid(lane)
      // So much later that we have heard of the acceptance, whatever crashed.
      const rule = { operation: 'refund', effect: 'fail_later', after_ms: 7_200_000, count: 1 }
      await lane.world.simulator.rule(begun.tenant, rule)
      return begun
    },
    async run(lane, begun) {
      expect(await refund(lane, begun)).toBe(200)
    },
    again: (lane, begun) => askAgain(lane, begun),
    end: expectTakenBack,
    effects: (_lane, begun) => ({ ...begun, counts: { ...onceEach, refund_return: 1 } }),
  }),
]

async function paid(lane: Lane, thresholdMinor = 100_000_000n): Promise<Begun> {
  const { world } = lane
  await withholdWebhooks(lane)
  const seller = await shop(world)
  await putThreshold(world, seller.tenant, 'NGN', thresholdMinor)
  return paidLongAgo(lane, seller)
}

async function refund({ world }: Lane, { id, key }: Begun, body: object = {}): Promise<number> {
  const path = `/merchant/api/v1/payments/${id}/refund`
  return (await world.call('POST', path, { key, body })).status
}

// After a crash no one else sends the refund. The caller waits for its outcome, at most a day, and
// requests it again if it has failed.
async function askAgain(lane: Lane, begun: Begun, body: object = {}): Promise<void> {
  for (const seconds of [120, 900, 25 * 3600]) await lane.pass(seconds)
  const { world } = lane
  const refunds = await listRefundsOfPayment(world.database.sql, begun.tenant, begun.id)
  if (refunds.some(({ status }) => status !== 'failed')) return
  expect(await refund(lane, begun, body)).toBeOneOf([200, 502])
}

export type Approver = { readonly email: string; readonly seed: string }

export async function approver(
  { world }: Lane,
  { tenant }: Pick<Begun, 'tenant'>,
): Promise<Approver> {
  const { context, database } = world
  const people = await createPeople(context, context)
  const person = await putPerson(context)
  await database.transaction((tx) =>
    people.addMembership(tx, tenant.businessId, person.personId, 'approver'),
  )
  return { email: person.email, seed: person.totpSecret ?? '' }
}

// After a crash, the caller looks at the state and continues from there.
async function askAndApprove(lane: Lane, subject: Begun & Approver): Promise<void> {
  if ((await approvals(lane, subject)).length === 0) {
    expect(await refund(lane, subject)).toBe(202)
  }
  await approveWaiting(lane, subject)
}

export async function approveWaiting(
  lane: Lane,
  subject: Pick<Begun, 'tenant'> & Approver,
): Promise<void> {
  const [approval] = await approvals(lane, subject)
  if (approval?.state !== 'pending') return
  const { tenant, email, seed } = subject
  const options = ['--business', tenant.businessId, '--approval', approval.id, '--email', email]
  const code = totp(seed, lane.world.context.clock.now())
  const status = await lane.cli(['approvals', 'approve', ...options], `${password}\n${code}\n`)
  if (!lane.hasDied()) expect(status, lane.errors().join('\n')).toBe(0)
}

async function approvals({ world }: Lane, { tenant }: Pick<Begun, 'tenant'>) {
  return world.database.sql<{ id: string; state: string }[]>`
    select id, state
    from merchant.approvals
    where business_id = ${tenant.businessId}
    order by id`
}

async function expectTakenBack({ world }: Lane, begun: Begun): Promise<void> {
  const wanted = { status: 'succeeded', refundedMinor: 0n }
  expect(await storedPayment(world, begun)).toMatchObject(wanted)
  const refunds = await listRefundsOfPayment(world.database.sql, begun.tenant, begun.id)
  expect(refunds.filter(({ status }) => status !== 'failed')).toMatchObject([
    { status: 'reversed' },
  ])
  const breaks = await discrepanciesOf(world, begun.tenant)
  expect(breaks.filter(({ cause }) => cause !== 'refund_not_found')).toMatchObject([
    { cause: 'refund_failed_after_acceptance' },
  ])
  const events = (await eventsOf(world, begun.tenant)).map(({ type }) => type)
  expect(events).toEqual(['payment.succeeded', 'payment.refunded'])
}

async function expectFailed({ world }: Lane, begun: Begun): Promise<void> {
  const wanted = { status: 'succeeded', refundedMinor: 0n }
  expect(await storedPayment(world, begun)).toMatchObject(wanted)
  const refunds = await listRefundsOfPayment(world.database.sql, begun.tenant, begun.id)
  expect(refunds).toMatchObject([{ status: 'failed' }])
  const breaks = await discrepanciesOf(world, begun.tenant)
  expect(breaks).toMatchObject([{ cause: 'refund_not_found' }])
  const events = (await eventsOf(world, begun.tenant)).map(({ type }) => type)
  expect(events).toEqual(['payment.succeeded'])
}

// The provider's list does not have the refund until it was given up.
async function showAfterADay(lane: Lane, { tenant }: Begun): Promise<void> {
  for (const seconds of [120, 900, 25 * 3600]) await lane.pass(seconds)
  if (!lane.hasDied()) await lane.world.simulator.removeRules(tenant)
}

async function refundEffects({ world }: Lane, { tenant, reference }: Begun): Promise<number> {
  return (await world.simulator.effects(tenant, reference)).refund ?? 0
}

async function expectFoundLate(lane: Lane, begun: Begun): Promise<void> {
  await expectRefunded(lane, begun, 'refunded', 100_000n)
  const breaks = await discrepanciesOf(lane.world, begun.tenant)
  expect(breaks.map(({ cause }) => cause)).toEqual(['refund_not_found', 'refund_found_late'])
}

async function expectRefunded(
  { world }: Lane,
  begun: Begun,
  status: PaymentStatus,
  refundedMinor: bigint,
): Promise<void> {
  expect(await storedPayment(world, begun)).toMatchObject({ status, refundedMinor })
  const refunds = await listRefundsOfPayment(world.database.sql, begun.tenant, begun.id)
  // One that was never sent may have failed before they asked again.
  const counted = refunds.filter(({ status }) => status !== 'failed')
  expect(counted).toMatchObject([{ status: 'settled', amountMinor: refundedMinor }])
  const events = (await eventsOf(world, begun.tenant)).map(({ type }) => type)
  expect(events).toEqual(['payment.succeeded', 'payment.refunded'])
}
