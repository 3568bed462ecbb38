// Payouts after the request: confirmations, lost answers, failures, and later reports of the
// provider. Tests control the time; the provider is the simulator, over HTTP.
import { beforeEach, describe, expect, it } from 'vitest'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import {
  resolvePayoutJob,
  resolvePayoutsSchedule,
} from '../../../src/merchant/payouts/resolve-payouts.ts'
import type { Provider } from '../../../src/merchant/provider/provider.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { balancesOf } from '../../support/payments.ts'
import { credit, overdraw, type Payer, payer, payoutState } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
const sending = 'POST /transfers'
const looking = 'GET /transfers'

let one: Payer

beforeEach(async () => {
  one = await payer(world())
})

const rule = (wanted: Record<string, unknown>) =>
  world().simulator.rule(one.tenant, { count: 1, ...wanted })
const state = (id: string) => payoutState(world(), one.tenant, id)
const { signal } = new AbortController()

async function payOut(amount = 1000): Promise<string> {
  const { status, body } = await one.payOut({ amount })
  expect([status, body.status]).toEqual([200, 'processing'])
  return body.payoutId
}

async function resolveAfter(seconds: number, id: string, context = world().context) {
  clock.advance(seconds * 1000)
  await world().simulator.drain()
  await resolvePayoutsSchedule.run(context, signal)
  return state(id)
}

async function proceed(id: string) {
  const { providerReference: reference } = (await state(id)).payout
  await world().simulator.control(one.tenant, 'POST', '/proceed', {
    subject: 'transfer',
    reference,
  })
}

async function act(id: string, step: string) {
  const { payout } = await state(id)
  const { providerReference: reference } = payout
  await world().simulator.control(one.tenant, 'POST', '/act', {
    subject: 'transfer',
    reference,
    step,
  })
}

// A provider of which one call behaves otherwise, and the rest is the simulator.
function withProvider(change: (provider: Provider) => Partial<Provider>): MerchantContext {
  const { context } = world()
  return {
    ...context,
    async providerFor(tenant) {
      const provider = await context.providerFor(tenant)
      return { ...provider, ...change(provider) }
    },
  }
}

describe('a payout that the provider confirms', () => {
  // covers: processing → completed when the provider confirms the transfer
  // covers: Amounts in `data` are minor units
  // covers: payout.completed: sent when a payout to the
  it('is completed: the ledger is debited once, with the fee as our cost, and one event is sent', async () => {
    const id = await payOut(6000)
    const { payout, events, entries, effects } = await resolveAfter(60, id)
    expect(payout).toMatchObject({ status: 'completed', feeMinor: 2688n, sends: 1 })
    expect(entries).toEqual(['payout.completed'])
    expect(events).toEqual([
      {
        type: 'payout.completed',
        data: { id, amount: 600_000, currency: 'NGN', status: 'completed' },
      },
    ])
    expect(effects).toBe(1)
    expect(await balancesOf(world(), one.tenant)).toEqual({
      'merchant:available NGN': -400_000n,
      // 26.875 naira, rounded.
      'platform:provider_fees NGN': 2688n,
      'provider:balance NGN': 1_000_000n - 600_000n - 2688n,
    })
    await expectInvariants(world().database)
  })

  it('is left alone while the caller may still be waiting', async () => {
    const id = await payOut()
    expect((await resolveAfter(59, id)).payout.status).toBe('processing')
    expect((await resolveAfter(1, id)).payout.status).toBe('completed')
  })

  it('is found at once when the provider sends its message, whatever that says', async () => {
    await rule({ operation: 'transfer.completed', effect: 'contradict' })
    const id = await payOut()
    await world().simulator.drain()
    const jobs = await world().database.sql<{ payload: { payoutId: string } }[]>`
      select payload
      from kernel.jobs
      where kind = 'resolve-payout'
        and business_id = ${one.tenant.businessId}`
    expect(jobs).toEqual([{ payload: { payoutId: id } }])
    await message(id)
    expect((await state(id)).payout.status).toBe('completed')
    await message(id)
    expect(await state(id)).toMatchObject({ entries: ['payout.completed'], effects: 1 })
  })

  it('stays processing as long as the provider has it pending', async () => {
    await rule({ operation: 'transfer', effect: 'stay_new' })
    const id = await payOut()
    expect((await resolveAfter(60, id)).payout.status).toBe('processing')
    expect((await resolveAfter(100_000, id)).payout).toMatchObject({
      status: 'processing',
      sends: 1,
    })
    await proceed(id)
    expect((await resolveAfter(4_000, id)).payout.status).toBe('completed')
  })

  // covers: processing → completed when the provider confirms the transfer
  it('is completed once when several look at the same moment', async () => {
    const id = await payOut()
    clock.advance(60_000)
    await world().simulator.drain()
    await Promise.all([
      ...Array.from({ length: 5 }, () => resolvePayoutsSchedule.run(world().context, signal)),
      ...Array.from({ length: 5 }, () => message(id)),
    ])
    const after = await state(id)
    expect(after).toMatchObject({ payout: { status: 'completed' }, entries: ['payout.completed'] })
    expect(after.events).toHaveLength(1)
  })

  async function message(payoutId: string): Promise<void> {
    const { tenant } = one
    const run = { id: payoutId, tenant, payload: { payoutId }, attempt: 1 }
    await resolvePayoutJob.prepare(run as never)(world().context, signal)
  }
})

describe('a payout that the provider fails', () => {
  // covers: processing → failed when the provider reports the transfer failed
  // covers: payout.failed: sent when a payout to the settlement account failed
  it('is failed with the reason, posts nothing, releases the balance and sends one event', async () => {
    await rule({ operation: 'transfer', effect: 'fail', reason: 'Account is closed' })
    const id = await payOut(10_000)
    const { payout, entries, events } = await resolveAfter(60, id)
    const reason = 'DISBURSE FAILED: Account is closed'
    expect(payout).toMatchObject({ status: 'failed', failureReason: reason, feeMinor: null })
    expect(entries).toEqual([])
    expect(events).toEqual([
      {
        type: 'payout.failed',
        data: { id, amount: 1_000_000, currency: 'NGN', status: 'failed', failure_reason: reason },
      },
    ])
    const list = await world().call('GET', '/merchant/api/v1/payouts', { key: one.key })
    expect(list.body.data).toMatchObject([{ status: 'failed', failure_reason: reason }])
    await payOut(10_000)
    await expectInvariants(world().database)
  })

  it('is failed when it was pending for days before', async () => {
    await rule({ operation: 'transfer', effect: 'fail_late' })
    const id = await payOut()
    expect((await resolveAfter(300_000, id)).payout.status).toBe('processing')
    await proceed(id)
    expect((await resolveAfter(4_000, id)).payout.status).toBe('failed')
  })
})

describe('a payout whose answer was lost', () => {
  // covers: balance debited once
  it('is found at the provider and adopted: one payout, one transfer, one event', async () => {
    await rule({ operation: sending, effect: 'drop_after' })
    const id = await payOut()
    const after = await resolveAfter(60, id)
    expect(after.payout).toMatchObject({ status: 'completed', sends: 1 })
    expect(after.effects).toBe(1)
    expect(after.events).toHaveLength(1)
    await expectInvariants(world().database)
  })

  it('is sent again, once, when the provider definitely lacks it and the time is up', async () => {
    await rule({ operation: sending, effect: 'drop' })
    const id = await payOut()
    expect((await resolveAfter(60, id)).payout).toMatchObject({ status: 'processing', sends: 1 })
    expect((await resolveAfter(539, id)).payout.sends).toBe(1)
    const sent = await resolveAfter(200, id)
    expect(sent.payout).toMatchObject({ status: 'processing', sends: 2 })
    const after = await resolveAfter(60, id)
    expect(after).toMatchObject({ payout: { status: 'completed', sends: 2 }, effects: 1 })
  })

  it('is sent again when the time is up and no later, at the rounds of the resolver', async () => {
    await rule({ operation: sending, effect: 'drop' })
    const id = await payOut()
    const { sentAt } = (await state(id)).payout
    for (;;) {
      const { nextLookAt } = (await state(id)).payout
      clock.set(nextLookAt ?? clock.now())
      if ((await resolveAfter(0, id)).payout.sends === 2) break
    }
    expect(clock.now().getTime() - (sentAt?.getTime() ?? 0)).toBe(600_000)
  })

  it('is not sent again while the provider does not say whether it has it', async () => {
    await rule({ operation: sending, effect: 'drop_after' })
    await rule({ operation: looking, effect: 'refuse', status: 500, count: 2 })
    const id = await payOut()
    for (const _ of [1, 2]) {
      expect((await resolveAfter(4_000, id)).payout).toMatchObject({
        status: 'processing',
        sends: 1,
      })
    }
    expect(await resolveAfter(4_000, id)).toMatchObject({
      payout: { status: 'completed', sends: 1 },
      effects: 1,
    })
  })

  it('is sent again once when several resolvers look at the same moment', async () => {
    await rule({ operation: sending, effect: 'drop' })
    const id = await payOut()
    clock.advance(700_000)
    await Promise.all(
      Array.from({ length: 5 }, () => resolvePayoutsSchedule.run(world().context, signal)),
    )
    expect(await state(id)).toMatchObject({ payout: { sends: 2 }, effects: 1 })
  })

  it('is adopted when the second send was refused because the first had worked', async () => {
    await rule({ operation: sending, effect: 'drop_after' })
    const id = await payOut()
    const ours = (await state(id)).payout.providerReference
    let asked = 0
    const lagging = withProvider((provider) => ({
      async findTransfer(reference) {
        if (reference === ours) asked += 1
        if (reference === ours && asked === 1) return { kind: 'success', value: null }
        return provider.findTransfer(reference)
      },
    }))
    const after = await resolveAfter(700, id, lagging)
    expect(after).toMatchObject({ payout: { status: 'completed', sends: 2 }, effects: 1 })
  })

  it('is never failed by the refusal of the duplicate, however long the provider hides the first', async () => {
    await rule({ operation: sending, effect: 'drop_after' })
    const id = await payOut()
    const hiding = withProvider(() => ({
      findTransfer: async () => ({ kind: 'success', value: null }),
    }))
    const refused = await resolveAfter(700, id, hiding)
    expect(refused.payout).toMatchObject({
      status: 'processing',
      sends: 2,
      refusedAt: expect.any(Date),
    })
    // Nor is it sent a third time.
    expect((await resolveAfter(20 * 3600, id, hiding)).payout).toMatchObject({
      status: 'processing',
      sends: 2,
    })
    expect(await resolveAfter(3_600, id)).toMatchObject({
      payout: { status: 'completed', sends: 2 },
      effects: 1,
    })
  })

  it('is failed when the second send was refused and a day later there is still none', async () => {
    await rule({ operation: sending, effect: 'drop' })
    const id = await payOut()
    await rule({ operation: sending, effect: 'refuse', status: 400 })
    expect((await resolveAfter(700, id)).payout).toMatchObject({ status: 'processing', sends: 2 })
    const after = await resolveAfter(24 * 3600, id)
    expect(after.payout).toMatchObject({
      status: 'failed',
      failureReason: 'refused by the payment provider',
    })
    expect(after).toMatchObject({ entries: [], effects: 0 })
    await expectInvariants(world().database)
  })
})

describe('what the provider says after the end', () => {
  it('a failure after success keeps the status, books the opposite and becomes a break', async () => {
    const before = await balancesOf(world(), one.tenant)
    const id = await payOut()
    expect((await resolveAfter(60, id)).payout.status).toBe('completed')
    await act(id, 'FAILED')
    const after = await resolveAfter(3_600, id)
    expect(after.payout).toMatchObject({ status: 'completed', contradictedAt: clock.now() })
    expect(after.entries).toEqual(['payout.completed', 'payout.reversed'])
    expect(after.breaks).toEqual(['payout_failed_after_success'])
    expect(after.events).toHaveLength(1)
    expect(await balancesOf(world(), one.tenant)).toEqual(before)
    // It is free to be paid out again, and said once.
    await payOut(10_000)
    expect((await resolveAfter(30 * 24 * 3600, id)).breaks).toHaveLength(1)
    await expectInvariants(world().database)
  })

  it('a success after failure is booked as money that no one wanted, and becomes a break', async () => {
    await rule({ operation: 'transfer', effect: 'fail' })
    const id = await payOut()
    expect((await resolveAfter(60, id)).payout.status).toBe('failed')
    const late = withProvider((provider) => ({
      async findTransfer(reference) {
        const found = await provider.findTransfer(reference)
        if (found.kind !== 'success' || !found.value) return found
        return { ...found, value: { ...found.value, status: 'successful', failureReason: null } }
      },
    }))
    const after = await resolveAfter(3_600, id, late)
    expect(after.payout).toMatchObject({ status: 'failed', contradictedAt: clock.now() })
    expect(after.entries).toEqual(['payout.late'])
    expect(after.breaks).toEqual(['payout_late_success'])
    expect(await balancesOf(world(), one.tenant)).toMatchObject({
      'merchant:available NGN': -1_000_000n,
      'suspense:unmatched NGN': 100_000n,
    })
    await resolveAfter(6 * 3600, id, late)
    await expectInvariants(world().database)
  })

  it('looks an hour, a day and a week later, and then no more', async () => {
    const id = await payOut()
    await resolveAfter(60, id)
    for (const hours of [1, 6, 24, 72, 168]) {
      const { payout } = await state(id)
      const expected = (payout.endedAt?.getTime() ?? 0) + hours * 3_600_000
      expect(payout.nextLookAt?.getTime()).toBe(expected)
      clock.set(new Date(expected))
      await resolveAfter(0, id)
    }
    expect((await state(id)).payout.nextLookAt).toBeNull()
  })

  it('a transfer of another amount is a break, and completes nothing', async () => {
    await rule({ operation: sending, effect: 'drop_after' })
    const id = await payOut(1000)
    const wrong = withProvider((provider) => ({
      async findTransfer(reference) {
        const found = await provider.findTransfer(reference)
        if (found.kind !== 'success' || !found.value) return found
        return { ...found, value: { ...found.value, currency: 'USD' } }
      },
    }))
    const after = await resolveAfter(60, id, wrong)
    expect(after.payout.status).toBe('processing')
    expect(after.breaks).toEqual(['transfer_differs'])
  })
})

it('a provider that is not there for one business holds no one else up', async () => {
  const first = await payOut()
  const other = await payer(world())
  const { body } = await other.payOut()
  clock.advance(60_000)
  await world().simulator.drain()
  const { context } = world()
  await resolvePayoutsSchedule.run(
    {
      ...context,
      async providerFor(tenant) {
        if (tenant.businessId === one.tenant.businessId) throw new Error('not configured')
        return context.providerFor(tenant)
      },
    },
    signal,
  )
  expect((await state(first)).payout.status).toBe('processing')
  expect((await payoutState(world(), other.tenant, body.payoutId)).payout.status).toBe('completed')
})

it('what a refund overdraws keeps new payouts out, and lets those under way end', async () => {
  const id = await payOut(10_000)
  await overdraw(world(), one.tenant, 'NGN', 500_000n)
  expect((await one.payOut({ amount: 0.01 })).status).toBe(400)
  expect((await resolveAfter(60, id)).payout.status).toBe('completed')
  expect(await balancesOf(world(), one.tenant)).toMatchObject({
    'merchant:available NGN': 500_000n,
  })
  await credit(world(), one.tenant, 'NGN', 500_000n)
  expect((await one.payOut({ amount: 0.01 })).status).toBe(400)
  await credit(world(), one.tenant, 'NGN', 1n)
  expect((await one.payOut({ amount: 0.01 })).status).toBe(200)
  await expectInvariants(world().database)
})
