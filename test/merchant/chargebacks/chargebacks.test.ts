// Cardholders dispute payments at the simulated provider: postings and notifications.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jobs } from '../../../src/app/background-work.ts'
import { createWorker } from '../../../src/kernel/jobs/worker.ts'
import { reconcileChargebacksSchedule } from '../../../src/merchant/chargebacks/find-chargebacks.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  type Begun,
  balancesOf,
  eventsOf,
  paidPayment,
  payment,
  storedPayment,
} from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'
import { putThreshold } from '../refunds/paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })

let paid: Begun

beforeEach(async () => {
  paid = await paidPayment(world())
  await runJobs()
})
afterEach(() => expectInvariants(world().database))

async function act(step: string, { tenant, reference }: Begun = paid): Promise<void> {
  const by = { subject: 'charge', reference, step }
  await world().simulator.control(tenant, 'POST', '/act', by)
}

async function runJobs(): Promise<void> {
  const { context } = world()
  await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
}

async function runRefunds(): Promise<void> {
  await resolveRefundsSchedule.run(world().context, new AbortController().signal)
}

async function reconcile(): Promise<void> {
  await reconcileChargebacksSchedule.run(world().context, new AbortController().signal)
}

// Charged back, and our service has heard of it by the provider's message.
async function chargedBack(): Promise<void> {
  await act('charge_back')
  await world().simulator.drain()
  await runJobs()
}

// What the simulator itself would never say after a decision.
async function say(status: string): Promise<void> {
  await world().database.sql`
    update simulator.chargebacks
    set status = ${status}
    where business_id = ${paid.tenant.businessId}`
}

async function breaks() {
  return world().database.sql`
    select cause, object_kind, resolution
    from merchant.breaks
    where business_id = ${paid.tenant.businessId}
    order by id`
}

const open = [{ cause: 'chargeback', objectKind: 'chargeback', resolution: null }]
const refund = (body: object) =>
  world().call('POST', `/merchant/api/v1/payments/${paid.id}/refund`, { key: paid.key, body })

describe('a chargeback', () => {
  it('takes the whole amount from the merchant, below zero, and is a break', async () => {
    await chargedBack()
    expect((await storedPayment(world(), paid)).status).toBe('succeeded')
    const balances = await balancesOf(world(), paid.tenant)
    expect(balances['merchant:available NGN']).toBe(1_500n)
    expect(balances['provider:balance NGN']).toBe(-1_400n)
    expect(await breaks()).toEqual(open)
    expect(await eventsOf(world(), paid.tenant)).toHaveLength(1)
  })

  it('is no refund: the settlement stays as it was', async () => {
    const settled = async () =>
      (await world().call('GET', '/merchant/api/v1/settlements', { key: paid.key })).body
    const before = await settled()
    expect(before.data).toMatchObject([{ net: 985, refunded: 0, net_settled: 985 }])
    await chargedBack()
    expect(await settled()).toEqual(before)
  })

  it('is booked once, however often it is told and found', async () => {
    const duplicate = { operation: 'webhook', effect: 'duplicate', copies: 3 }
    await world().simulator.rule(paid.tenant, duplicate)
    await chargedBack()
    await Promise.all([reconcile(), reconcile(), runJobs()])
    expect((await balancesOf(world(), paid.tenant))['merchant:available NGN']).toBe(1_500n)
    expect(await breaks()).toEqual(open)
  })

  it('is found without a message, in the provider’s list', async () => {
    await world().simulator.rule(paid.tenant, { operation: 'webhook', effect: 'withhold' })
    await chargedBack()
    expect(await breaks()).toEqual([])
    await reconcile()
    expect(await breaks()).toEqual(open)
  })

  it('is not believed when the list does not have it', async () => {
    const body = { event: 'chargeback.initiated', data: { tx_ref: paid.reference, amount: 1000 } }
    const hash = world().context.secrets.derive('simulator webhooks').toString('base64url')
    await world().call('POST', '/hooks/provider/live', {
      body,
      headers: { 'verif-hash': hash },
    })
    await runJobs()
    expect(await breaks()).toEqual([])
  })

  it('that is won gives the money back and resolves the break', async () => {
    await chargedBack()
    await act('win_chargeback')
    await reconcile()
    await reconcile()
    expect((await balancesOf(world(), paid.tenant))['merchant:available NGN']).toBe(-98_500n)
    expect(await breaks()).toMatchObject([{ resolution: 'won: the money came back' }])
  })

  it('that is lost stays taken and resolves the break', async () => {
    await chargedBack()
    await act('lose_chargeback')
    await reconcile()
    expect((await balancesOf(world(), paid.tenant))['merchant:available NGN']).toBe(1_500n)
    expect(await breaks()).toMatchObject([{ resolution: 'lost' }])
  })

  it('that is won after it was lost gives the money back', async () => {
    await chargedBack()
    await act('lose_chargeback')
    await reconcile()
    await say('won')
    await reconcile()
    await reconcile()
    expect((await balancesOf(world(), paid.tenant))['merchant:available NGN']).toBe(-98_500n)
    expect(await breaks()).toHaveLength(1)
  })

  it('that is lost after it was won is a break, and nothing is booked', async () => {
    await chargedBack()
    await act('win_chargeback')
    await reconcile()
    await say('lost')
    await reconcile()
    expect((await balancesOf(world(), paid.tenant))['merchant:available NGN']).toBe(-98_500n)
    expect(await breaks()).toMatchObject([
      { resolution: 'won: the money came back' },
      { cause: 'chargeback_taken_again', resolution: null },
    ])
  })

  it('that was opened and won before anybody looked is booked and undone', async () => {
    await act('charge_back')
    await act('win_chargeback')
    await reconcile()
    expect((await balancesOf(world(), paid.tenant))['merchant:available NGN']).toBe(-98_500n)
    expect(await breaks()).toMatchObject([{ resolution: 'won: the money came back' }])
  })

  it('of a payment whose success no one has heard of applies that first', async () => {
    const begun = await payment(world(), paid)
    const withhold = { operation: 'webhook', effect: 'withhold' }
    await world().simulator.rule(begun.tenant, withhold)
    await world().simulator.pay(begun.tenant, begun.reference)
    await act('charge_back', begun)
    await reconcile()
    expect((await storedPayment(world(), begun)).status).toBe('succeeded')
    expect(await breaks()).toEqual(open)
  })

  it('of money that no payment wanted is taken from that money', async () => {
    const begun = await payment(world(), paid)
    const { key, id, tenant, reference } = begun
    await world().call('POST', `/merchant/api/v1/payments/${id}/cancel`, { key })
    await world().simulator.pay(tenant, reference)
    await world().simulator.drain()
    await runJobs()
    const before = await balancesOf(world(), tenant)
    await act('charge_back', begun)
    await reconcile()
    const after = await balancesOf(world(), tenant)
    expect(before['suspense:unmatched NGN']).toBe(-100_000n)
    expect(after['suspense:unmatched NGN']).toBeUndefined()
    expect(after['merchant:available NGN']).toBe(before['merchant:available NGN'])
  })

  it('of more than the amount takes from the merchant the amount, and the excess from suspense', async () => {
    const begun = await payment(world(), paid)
    const { tenant, reference } = begun
    const overpay = { operation: 'charge', effect: 'overpay', difference: '150' }
    await world().simulator.rule(tenant, overpay)
    await world().simulator.pay(tenant, reference)
    await world().simulator.drain()
    await runJobs()
    const before = await balancesOf(world(), tenant)
    expect(before['suspense:unmatched NGN']).toBe(-15_000n)
    await act('charge_back', begun)
    await reconcile()
    const taken = await balancesOf(world(), tenant)
    expect(taken['suspense:unmatched NGN']).toBeUndefined()
    // Two payments of 985.00 each, less the one of 1,000.00.
    expect(taken['merchant:available NGN']).toBe(-97_000n)
    await runRefunds()
    expect(await world().simulator.effects(tenant, reference)).toMatchObject({ refund: 0 })
    await act('win_chargeback', begun)
    await reconcile()
    expect(await balancesOf(world(), tenant)).toEqual(before)
  })

  it('after the charge was reversed as well is booked beside it, as the provider took both', async () => {
    await chargedBack()
    await act('reverse')
    await world().simulator.drain()
    await runJobs()
    expect((await breaks()).map(({ cause }) => cause).sort()).toEqual([
      'chargeback',
      'failure_after_success',
    ])
    expect((await balancesOf(world(), paid.tenant))['merchant:available NGN']).toBe(100_000n)
  })
})

describe('a refund of a payment that was charged back', () => {
  beforeEach(() => putThreshold(world(), paid.tenant, 'NGN', 100_000_000n))

  it('is refused: the payer has the money already', async () => {
    await chargedBack()
    const answer = await refund({})
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('charged back')
    expect((await refund({ amount: 10_000 })).status).toBe(400)
  })

  it('is possible again when the merchant has won', async () => {
    await chargedBack()
    await act('win_chargeback')
    await reconcile()
    expect((await refund({})).status).toBe(200)
  })
})
