// Refunds without a result for long, and what makes the resolver look earlier.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, stateOf } from './paid-payment.ts'

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
const rule = (wanted: Record<string, unknown>) => world().simulator.rule(tenant, wanted)
const refund = () =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, {
    key,
    body: { amount: 100_000 },
  })

async function resolveAfter(seconds: number) {
  clock.advance(seconds * 1000)
  await resolveRefundsSchedule.run(world().context, new AbortController().signal)
  return state()
}

async function unresolved(cause = 'refund_unresolved') {
  return world().database.sql`
    select detail ->> 'since' as since, resolution
    from merchant.breaks
    where business_id = ${tenant.businessId}
      and cause = ${cause}`
}

it('a refund without an end for three days is a break, until it has one', async () => {
  await rule({ operation: refundCall, effect: 'drop_after', count: 1 })
  const askedAt = clock.now().toISOString()
  expect((await refund()).status).toBe(502)
  await rule({ operation: 'GET /refunds', effect: 'refuse', status: 500 })
  await resolveAfter(3 * day - 1)
  expect(await unresolved()).toEqual([])
  await resolveAfter(day)
  expect(await unresolved()).toEqual([{ since: askedAt, resolution: null }])
  await resolveAfter(day)
  expect(await unresolved()).toHaveLength(1)
  await world().simulator.removeRules(tenant)
  await world().simulator.drain()
  const after = await resolveAfter(day)
  expect(after.payment.status).toBe('partially_refunded')
  expect(await unresolved()).toMatchObject([{ resolution: 'the refund is settled' }])
})

it('a refund that ends at the first look after days is no break', async () => {
  await rule({ operation: refundCall, effect: 'drop_after', count: 1 })
  await refund()
  await resolveAfter(4 * day)
  expect(await unresolved()).toEqual([])
})

it('an accepted refund that is not paid for three weeks is a break, until it is', async () => {
  await rule({ operation: 'refund', effect: 'stay_accepted' })
  const acceptedAt = clock.now().toISOString()
  expect((await refund()).status).toBe(200)
  await resolveAfter(21 * day - 1)
  expect(await unresolved('refund_unpaid')).toEqual([])
  await resolveAfter(day)
  expect(await unresolved('refund_unpaid')).toEqual([{ since: acceptedAt, resolution: null }])
  await proceed()
  expect((await resolveAfter(day)).refunds).toMatchObject([{ status: 'settled' }])
  const resolution = 'the refund is settled'
  expect(await unresolved('refund_unpaid')).toEqual([{ since: acceptedAt, resolution }])
  expect(await unresolved()).toEqual([])
})

it('the provider’s message about a refund makes the resolver look at once', async () => {
  await rule({ operation: 'refund', effect: 'stay_accepted' })
  expect((await refund()).status).toBe(200)
  await resolveAfter(60)
  expect((await resolveAfter(1)).refunds).toMatchObject([{ status: 'accepted' }])
  await proceed()
  await world().simulator.drain()
  expect((await resolveAfter(1)).refunds).toMatchObject([{ status: 'settled' }])
})

it('a message that says the opposite of the truth hurries, and is not believed', async () => {
  await rule({ operation: 'webhook', effect: 'contradict' })
  await rule({ operation: 'refund', effect: 'fail_later' })
  await refund()
  await resolveAfter(60)
  await proceed()
  await world().simulator.drain()
  const after = await resolveAfter(1)
  expect(after.refunds).toMatchObject([{ status: 'reversed' }])
  expect(after.payment.status).toBe('succeeded')
})

it('without a message the refund is looked at when its time has come', async () => {
  await rule({ operation: 'webhook', effect: 'withhold' })
  await rule({ operation: 'refund', effect: 'stay_accepted' })
  await refund()
  await resolveAfter(60)
  await proceed()
  await world().simulator.drain()
  expect((await resolveAfter(1)).refunds).toMatchObject([{ status: 'accepted' }])
  expect((await resolveAfter(60)).refunds).toMatchObject([{ status: 'settled' }])
})

async function proceed() {
  const { providerReference: reference } = payment
  await world().simulator.control(tenant, 'POST', '/proceed', { subject: 'refund', reference })
}
