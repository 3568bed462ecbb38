// Refunds whose caller got no answer: they are looked up, and never sent again. Time is moved by
// hand; the provider is the simulator, over HTTP.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { Decimal } from '../../../src/kernel/money/decimal.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { reconcileRefundsSchedule } from '../../../src/merchant/refunds/reconcile-refunds.ts'
import { refundPayment } from '../../../src/merchant/refunds/refund-payment.ts'
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

const state = () => stateOf(world(), tenant, payment.id)
const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(tenant, { count: 1, ...wanted })
const refund = (amount: number) =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, { key, body: { amount } })

const { signal } = new AbortController()
const resolveRefunds = (context: MerchantContext) => resolveRefundsSchedule.run(context, signal)

// The provider's message would make the resolver look earlier, whenever it happens to come.
const withoutMessages = () => rule({ operation: 'webhook', effect: 'withhold', count: 1_000 })

async function resolveAfter(seconds: number) {
  clock.advance(seconds * 1000)
  await resolveRefunds(world().context)
  return state()
}

describe('a refund whose answer was lost', () => {
  // covers: payment.refunded: sent when a full or partial refund was executed
  it('is found at the provider and adopted: one refund, one effect, one event', async () => {
    await rule({ operation: refundCall, effect: 'drop_after' })
    expect((await refund(100_000)).status).toBe(502)
    const after = await resolveAfter(60)
    expect(after.refunds).toMatchObject([{ providerRefundId: expect.any(String), sends: 1 }])
    expect(['accepted', 'settled']).toContain(after.refunds[0]?.status)
    expect(after.payment).toMatchObject({ status: 'partially_refunded', refundedMinor: 100_000n })
    expect(after.events).toHaveLength(1)
    expect((await resolveAfter(10_000)).effects).toBe(1)
    expect((await refund(100_000)).status).toBe(200)
    await expectInvariants(world().database)
  })

  it('is left alone while the caller may still be waiting for the response', async () => {
    await withoutMessages()
    await rule({ operation: refundCall, effect: 'drop_after' })
    await refund(100_000)
    expect((await resolveAfter(59)).refunds).toMatchObject([{ status: 'pending' }])
  })

  it('is never sent again, and fails when two look-ups a day apart do not find it', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 500 })
    expect((await refund(100_000)).status).toBe(502)
    // Too early to prove anything.
    expect((await resolveAfter(60)).refunds).toMatchObject([{ firstAbsentAt: null }])
    const first = await resolveAfter(600)
    expect(first.refunds).toMatchObject([{ status: 'pending', firstAbsentAt: clock.now() }])
    expect((await resolveAfter(day - 1)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    expect((await refund(100_000)).status).toBe(409)
    const after = await resolveAfter(1)
    expect(after.refunds).toMatchObject([{ status: 'failed', sends: 1, givenUpAt: clock.now() }])
    expect(after.payment).toMatchObject({ status: 'succeeded', refundedMinor: 0n })
    expect(after.effects).toBe(0)
    expect(after.events).toEqual([])
    expect(after.breaks).toEqual(['refund_not_found'])
    expect((await refund(100_000)).status).toBe(200)
    expect((await resolveAfter(2 * day)).effects).toBe(1)
    await expectInvariants(world().database)
  })

  it('is given up when the time is up and no later, at the rounds of the resolver', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 500 })
    await refund(100_000)
    const sentAtMs = clock.now().getTime()
    for (;;) {
      const [pending] = (await state()).refunds
      clock.set(pending?.nextLookAt ?? clock.now())
      if ((await resolveAfter(0)).refunds[0]?.status === 'failed') break
    }
    expect(clock.now().getTime() - sentAtMs).toBe(600_000 + day * 1000)
  })

  it('is not given up while the list cannot be read', async () => {
    await rule({ operation: refundCall, effect: 'drop_after' })
    await refund(100_000)
    await rule({ operation: 'GET /refunds', effect: 'refuse', status: 500, count: 2 })
    expect((await resolveAfter(day)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    expect((await resolveAfter(day)).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    const after = await resolveAfter(day)
    expect(after.refunds).toMatchObject([{ sends: 1, providerRefundId: expect.any(String) }])
    expect(after.effects).toBe(1)
  })

  it('is told apart from an earlier refund of the same amount', async () => {
    expect((await refund(100_000)).status).toBe(200)
    await rule({ operation: refundCall, effect: 'refuse', status: 503 })
    expect((await refund(100_000)).status).toBe(502)
    await resolveAfter(600)
    const after = await resolveAfter(day)
    expect(after.refunds).toMatchObject([{}, { status: 'failed', providerRefundId: null }])
    expect(after.payment.refundedMinor).toBe(100_000n)
    expect(after.effects).toBe(1)
  })

  it('fails once when several resolvers look at the same moment', async () => {
    await rule({ operation: refundCall, effect: 'refuse', status: 500 })
    await refund(100_000)
    await resolveAfter(600)
    clock.advance(day * 1000)
    await Promise.all(Array.from({ length: 5 }, () => resolveRefunds(world().context)))
    const after = await state()
    expect(after.refunds).toMatchObject([{ status: 'failed', sends: 1 }])
    expect(after.breaks).toEqual(['refund_not_found'])
    expect(after.effects).toBe(0)
  })

  it('fails at once if the request ended before it was sent', async () => {
    await interruptedRefund('refund.listed')
    expect((await resolveAfter(59)).refunds).toMatchObject([{ status: 'pending', sends: 0 }])
    const after = await resolveAfter(1)
    expect(after.refunds).toMatchObject([{ status: 'failed', sends: 0, givenUpAt: null }])
    expect(after.breaks).toEqual(['refund_not_found'])
    expect((await refund(100_000)).status).toBe(200)
    expect((await state()).effects).toBe(1)
  })

  it('is only looked up if the request ended before the call', async () => {
    await interruptedRefund('refund.claimed-send')
    for (const seconds of [60, 600, 4_000]) await resolveAfter(seconds)
    expect((await state()).refunds).toMatchObject([{ status: 'pending', sends: 1 }])
    const after = await resolveAfter(day)
    expect(after.refunds).toMatchObject([{ status: 'failed', sends: 1 }])
    expect(after.effects).toBe(0)
  })

  async function interruptedRefund(at: string) {
    const { context } = world()
    const actor = { kind: 'system', name: 'test', ...tenant } as const
    const failpoint = (name: string) => {
      if (name === at) throw new Error('cut off')
    }
    const input = { paymentId: payment.id, amountMinor: 100_000n }
    const asking = runOperation(refundPayment, { ...context, failpoint }, actor, input)
    await expect(asking).rejects.toThrow('cut off')
  }
})

describe('a refund that was given up', () => {
  beforeEach(async () => {
    await rule({ operation: refundCall, effect: 'drop' })
    expect((await refund(100_000)).status).toBe(502)
    await resolveAfter(600)
    expect((await resolveAfter(day)).refunds).toMatchObject([{ status: 'failed' }])
  })
  const byHand = (amountMinor: bigint) => refundByHand(world(), tenant, payment, amountMinor)
  const causes = () => world().database.sql`
    select cause, detail ->> 'providerRefundId' as entry, resolved_at is not null as is_resolved
    from merchant.breaks
    where business_id = ${tenant.businessId}
    order by id`

  it('is adopted and becomes a discrepancy when it appears later', async () => {
    await withoutMessages()
    const entry = await byHand(100_000n)
    expect((await resolveAfter(60)).refunds).toMatchObject([{ status: 'failed' }])
    const after = await resolveAfter(day)
    expect(after.refunds).toMatchObject([{ providerRefundId: entry, failureReason: null }])
    expect(after.refunds[0]?.status).toMatch(/accepted|settled/)
    expect(after.payment).toMatchObject({ status: 'partially_refunded', refundedMinor: 100_000n })
    expect(after.events).toHaveLength(1)
    expect(await causes()).toMatchObject([
      { cause: 'refund_not_found', isResolved: true },
      { cause: 'refund_found_late', isResolved: false },
    ])
    await resolveAfter(2 * day)
    expect(await causes()).toHaveLength(2)
    await expectInvariants(world().database)
  })

  it('is adopted at once when the provider sends a message about it', async () => {
    await byHand(100_000n)
    await world().simulator.drain()
    expect((await resolveAfter(1)).payment.refundedMinor).toBe(100_000n)
  })

  it('is adopted beside a refund that was asked for anew', async () => {
    await withoutMessages()
    expect((await refund(100_000)).status).toBe(200)
    await byHand(100_000n)
    const after = await resolveAfter(day)
    expect(after.payment.refundedMinor).toBe(200_000n)
    expect(after.breaks).toEqual(['refund_not_found', 'refund_found_late'])
    await expectInvariants(world().database)
  })

  it('is not posted when it is more than what remains of the payment', async () => {
    expect((await refund(500_000)).status).toBe(200)
    clock.advance(day * 1000)
    await resolveRefunds(await withEntry('4711', 100_000n))
    const after = await state()
    expect(after.payment).toMatchObject({ status: 'refunded', refundedMinor: 500_000n })
    expect(after.refunds).toMatchObject([{ status: 'failed' }, { status: 'settled' }])
    expect(await causes()).toMatchObject([
      { cause: 'refund_not_found' },
      { cause: 'refund_repeated', entry: '4711' },
    ])
    await expectInvariants(world().database)
  })

  it('is looked for every day for thirty days', async () => {
    await withoutMessages()
    for (let days = 0; days < 30; days += 1) await resolveAfter(day)
    expect((await state()).refunds).toMatchObject([{ nextLookAt: null, status: 'failed' }])
    // The comparison with the provider finds it even then.
    await byHand(100_000n)
    await reconcileRefundsSchedule.run(world().context, signal)
    expect((await resolveAfter(0)).payment.refundedMinor).toBe(100_000n)
    expect((await state()).breaks).toEqual(['refund_not_found', 'refund_found_late'])
  })
})

// A provider that lists one more refund of the payment.
async function withEntry(refundId: string, amountMinor: bigint): Promise<MerchantContext> {
  const { context } = world()
  return {
    ...context,
    async providerFor(wanted) {
      const provider = await context.providerFor(wanted)
      return {
        ...provider,
        async listRefunds(transactionId) {
          const listed = await provider.listRefunds(transactionId)
          if (listed.kind !== 'success' || transactionId !== payment.providerTransactionId) {
            return listed
          }
          const amount = new Decimal(amountMinor, 2)
          const entry = { refundId, transactionId, amount, status: 'settled' } as const
          return { kind: 'success', value: [...listed.value, entry] }
        },
      }
    },
  }
}
