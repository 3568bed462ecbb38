// Other entries and missing entries in the provider's list of refunds. The list is the only
// evidence, since the provider has no idempotency key for refunds.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, refundByHand, stateOf } from './paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })
const refundCall = 'POST /transactions/:id/refund'
const day = 24 * 60 * 60

let tenant: Tenant
let payment: Payment
let key: string

beforeEach(async () => {
  const issued = await world().key({ service: 'merchant' })
  key = issued.text
  tenant = { businessId: issued.businessId, environment: 'live' }
  payment = await paidPayment(world(), tenant)
})
afterEach(() => expectInvariants(world().database))

const state = () => stateOf(world(), tenant, payment.id)
const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(tenant, { count: 1, ...wanted })
const refund = (amount: number) =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, { key, body: { amount } })
const byHand = (amountMinor: bigint) => refundByHand(world(), tenant, payment, amountMinor)

async function resolveAfter(seconds: number) {
  clock.advance(seconds * 1000)
  await resolveRefundsSchedule.run(world().context, new AbortController().signal)
  return state()
}

it('a live entry of another amount keeps a refund from being sent again', async () => {
  await rule({ operation: refundCall, effect: 'drop_after' })
  await rule({ operation: 'refund_list', effect: 'other_amount', difference: '5', count: 1_000 })
  expect((await refund(40_000)).status).toBe(502)
  for (const seconds of [60, 700, 4_000, day]) await resolveAfter(seconds)
  const after = await state()
  expect(after.effects).toBe(1)
  expect(after.refunds).toMatchObject([{ status: 'pending', sends: 1, providerRefundId: null }])
  expect(after.breaks).toEqual(['refund_unclear'])
})

it('the break of an unclear refund is resolved when the list is clear', async () => {
  await rule({ operation: refundCall, effect: 'drop_after' })
  await rule({ operation: 'refund_list', effect: 'other_amount', difference: '5', count: 2 })
  await refund(40_000)
  expect((await resolveAfter(60)).breaks).toEqual(['refund_unclear'])
  const after = await resolveAfter(60)
  expect(after.refunds).toMatchObject([{ sends: 1, providerRefundId: expect.any(String) }])
  const [found] = await world().database.sql`
    select resolution, detail ->> 'entries' as entries
    from merchant.breaks
    where business_id = ${tenant.businessId}`
  // The simulator pays by itself, before the first look or after it.
  expect(found?.resolution).toMatch(/^the refund is (accepted|settled)$/)
  expect(found?.entries).toMatch(/^\d+: 395 (accepted|settled)$/)
})

it('a refund by hand of the same amount is not taken for one that never arrived', async () => {
  const handId = await byHand(40_000n)
  await rule({ operation: refundCall, effect: 'drop' })
  expect((await refund(40_000)).status).toBe(502)
  const looked = await resolveAfter(60)
  expect(looked.refunds).toMatchObject([
    { status: 'pending', sends: 1, listedBefore: [handId], providerRefundId: null },
  ])
  await resolveAfter(600)
  const after = await resolveAfter(day)
  expect(after.effects).toBe(1)
  expect(after.refunds).toMatchObject([{ status: 'failed', providerRefundId: null }])
  expect(after.payment.refundedMinor).toBe(0n)
  // The books do not know of it, so a person has to.
  expect(after.breaks).toEqual(['refund_missing_here', 'refund_not_found'])
})

it('a refund by hand of the same amount is told from one whose answer was lost', async () => {
  const handId = await byHand(40_000n)
  await rule({ operation: refundCall, effect: 'drop_after' })
  expect((await refund(40_000)).status).toBe(502)
  const after = await resolveAfter(60)
  expect(after.refunds).toMatchObject([{ sends: 1, providerRefundId: expect.any(String) }])
  expect(after.refunds[0]?.providerRefundId).not.toBe(handId)
  expect((await resolveAfter(4_000)).effects).toBe(2)
})

it('a second entry of the same amount is a break, and the refund is booked once', async () => {
  await rule({ operation: refundCall, effect: 'drop_after' })
  expect((await refund(40_000)).status).toBe(502)
  await byHand(40_000n)
  const after = await resolveAfter(60)
  expect(after.payment.refundedMinor).toBe(40_000n)
  expect(after.breaks).toEqual(['refund_repeated'])
  expect((await resolveAfter(4_000)).effects).toBe(2)
})

it('an entry that failed before the send is not the refund that was sent', async () => {
  await rule({ operation: 'refund', effect: 'fail_later', after_ms: 0 })
  await byHand(40_000n)
  await world().simulator.drain()
  await rule({ operation: refundCall, effect: 'drop_after' })
  await rule({ operation: 'refund_list', effect: 'late', after_ms: 300_000, count: 1_000 })
  clock.advance(300_000)
  expect((await refund(40_000)).status).toBe(502)
  expect((await resolveAfter(60)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
  const after = await resolveAfter(300)
  expect(after.refunds).toMatchObject([{ sends: 1, providerRefundId: expect.any(String) }])
  expect(after.refunds[0]?.status).toMatch(/accepted|settled/)
  expect(after.payment.refundedMinor).toBe(40_000n)
})

it('an entry that failed after the send is the refund that was sent', async () => {
  await rule({ operation: refundCall, effect: 'drop_after' })
  await rule({ operation: 'refund', effect: 'fail_later', after_ms: 0 })
  expect((await refund(40_000)).status).toBe(502)
  await world().simulator.drain()
  const after = await resolveAfter(60)
  expect(after.refunds).toMatchObject([{ status: 'failed', providerRefundId: expect.any(String) }])
  expect(after.payment.refundedMinor).toBe(0n)
})

it('nothing is sent, and nothing is in flight, when the list cannot be read', async () => {
  await rule({ operation: 'GET /refunds', effect: 'refuse', status: 500 })
  const { status, body } = await refund(40_000)
  expect(status).toBe(502)
  expect(body.error).toContain('Nothing was refunded')
  const before = await state()
  expect(before.refunds).toMatchObject([{ status: 'failed', sends: 0 }])
  // The caller was told, so no one else has to be.
  expect(before.breaks).toEqual([])
  expect((await resolveAfter(day)).effects).toBe(0)
  expect((await refund(40_000)).status).toBe(200)
})

it('what the system owes is not sent beside a refund by hand of another amount', async () => {
  await byHand(40_000n)
  await world().database.sql`
    insert into merchant.refunds
      (business_id, environment, id, payment_id, status, amount_minor, currency, cause,
       requested_by_kind, requested_by, created_at, updated_at)
    values
      (${tenant.businessId}, 'live', ${world().context.ids.uuid()}, ${payment.id}, 'pending',
       50000, 'NGN', 'overpayment', 'system', 'payment provider', ${clock.now()}, ${clock.now()})`
  const after = await resolveAfter(0)
  expect(after.refunds).toMatchObject([{ status: 'pending', sends: 0 }])
  expect(after.effects).toBe(1)
  expect(after.breaks).toEqual(['refund_unclear'])
})
