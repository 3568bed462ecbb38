// The two thresholds that a business may set beside the documented ones: for the payouts of a day
// together, and for refunds that overdraw the balance.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { requestThreshold } from '../../../src/merchant/approvals/request-threshold.ts'
import { setThreshold } from '../../../src/merchant/approvals/set-threshold.ts'
import { listOwnThresholds } from '../../../src/merchant/approvals/threshold-store.ts'
import {
  listBusinessBalances,
  listReservingRefunds,
} from '../../../src/merchant/balances/balance-store.ts'
import { listBalanceEntries } from '../../../src/merchant/balances/list-balance-entries.ts'
import { getBalanceAfterRefund } from '../../../src/merchant/refunds/check-overdraft.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { settleRefund } from '../../../src/merchant/refunds/settle-refund.ts'
import { manualClock } from '../../support/clock.ts'
import { untilBlocked } from '../../support/database.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { balancesOf, newLink, paidPayment, shop, storedPayment } from '../../support/payments.ts'
import { member, type Payer, payer, payoutState } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

let one: Payer
let owner: PersonActor
let approver: PersonActor

// 10,000.00 can be paid out, and one person alone may pay out or refund all of it at once.
beforeEach(async () => {
  clock.set(new Date('2026-03-10T12:00:00Z'))
  const businessId = await world().business()
  const tenant = { businessId, environment: 'live' } as const
  owner = await member(world(), tenant, 'owner')
  one = await payer(world(), { businessId, createdBy: owner.personId })
  approver = await member(world(), tenant, 'approver')
})

afterEach(() => expectInvariants(world().database))

type Kind = 'refund' | 'daily_payouts' | 'overdraft'

function put(operation: Kind, amountMinor: bigint | null): Promise<void> {
  const threshold = { operation, currency: 'NGN', amountMinor }
  return world().database.transaction((tx) => setThreshold(tx, world().context, owner, threshold))
}

const approve = (id: string) => runOperation(approveApproval, world().context, approver, { id })

describe('a daily limit of payouts', () => {
  beforeEach(() => put('daily_payouts', 150_000n))

  const statusOf = async (amount: number) => (await one.payOut({ amount })).status

  it('holds the payout that takes the day above it, and lets a second person approve it', async () => {
    expect(await statusOf(1000)).toBe(200)
    expect(await statusOf(500)).toBe(200)
    const { status, body } = await one.payOut({ amount: 0.01 })
    expect(status).toBe(202)
    await approve(body.approvalId)
    const { payout } = await payoutState(world(), one.tenant, body.payoutId)
    expect(payout).toMatchObject({ status: 'processing', dailyLimitMinor: null })
  })

  it('holds a single payout above it', async () => {
    expect(await statusOf(1500.01)).toBe(202)
  })

  it('begins anew with the next day in UTC', async () => {
    clock.set(new Date('2026-03-10T23:59:59.999Z'))
    expect(await statusOf(1500)).toBe(200)
    expect(await statusOf(100)).toBe(202)
    clock.set(new Date('2026-03-11T00:00:00Z'))
    expect(await statusOf(1500)).toBe(200)
  })

  it('does not count what was cancelled or failed', async () => {
    expect(await statusOf(1000)).toBe(200)
    const { status, body } = await one.payOut({ amount: 600 })
    expect(status).toBe(202)
    const cancel = `/merchant/api/v1/payouts/${body.payoutId}/cancel`
    expect((await world().call('POST', cancel, { key: one.key })).status).toBe(200)
    const operation = 'POST /transfers'
    await world().simulator.rule(one.tenant, { operation, effect: 'refuse', status: 400, count: 1 })
    expect(await statusOf(500)).toBe(502)
    expect(await statusOf(500)).toBe(200)
  })

  it('counts the wallet too, and each currency by itself', async () => {
    expect((await one.payOut({ amount: 1000, destinationType: 'service_account' })).status).toBe(
      200,
    )
    expect(await statusOf(501)).toBe(202)
    const { payOut } = await payer(world(), { businessId: one.tenant.businessId, currency: 'KES' })
    expect((await payOut({ amount: 1500, currency: 'KES' })).status).toBe(200)
  })

  it('cannot be passed by asking many times at once', async () => {
    const asked = Array.from({ length: 12 }, () => one.payOut({ amount: 500 }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 202)).toHaveLength(9)
  })

  it('is off again once it is taken away', async () => {
    await put('daily_payouts', null)
    expect(await statusOf(1000)).toBe(200)
    expect(await statusOf(1000)).toBe(200)
  })

  it('that let too much through breaks an invariant', async () => {
    expect(await statusOf(1000)).toBe(200)
    expect(await statusOf(500)).toBe(200)
    const change = (limitMinor: bigint) => world().database.sql`
      update merchant.payouts
      set daily_limit_minor = ${limitMinor}
      where business_id = ${one.tenant.businessId}`
    await change(149_999n)
    expect(await brokenInvariants(world().database)).toEqual(['I13.4'])
    await change(150_000n)
  })
})

describe('holding refunds that overdraw', () => {
  let payments: string[]

  // Two payments of 1,000.00, of which the fee leaves 985.00 each; nothing else is available.
  beforeEach(async () => {
    one = await payer(world(), { availableMinor: 0n, createdBy: owner.personId })
    const { tenant } = one
    owner = await member(world(), tenant, 'owner')
    approver = await member(world(), tenant, 'approver')
    await put('refund', 1_000_000n)
    const funds = { amount: 10_000, currency: 'NGN' }
    await world().simulator.control(tenant, 'POST', '/fund', funds)
    const seller = await shop(world(), tenant)
    const pay = async () => (await paidPayment(world(), seller, await newLink(world(), seller))).id
    payments = [await pay(), await pay()]
    await put('overdraft', 0n)
  })

  const refund = (nth: number, amount?: number) =>
    world().call('POST', `/merchant/api/v1/payments/${payments[nth]}/refund`, {
      key: one.key,
      body: amount === undefined ? {} : { amount },
    })

  it('lets a refund through that the balance covers, to the last unit', async () => {
    expect((await refund(0, 98_500)).status).toBe(200)
    expect((await refund(1, 98_500)).status).toBe(200)
    expect((await balancesOf(world(), one.tenant))['merchant:available NGN']).toBeUndefined()
  })

  it('holds one that it does not, until a second person approves it', async () => {
    expect((await refund(0)).status).toBe(200)
    const { status, body } = await refund(1)
    expect(status).toBe(202)
    const stored = () => storedPayment(world(), { ...one, id: payments[1] ?? '' })
    expect((await stored()).refundedMinor).toBe(0n)
    await approve(body.approvalId)
    await resolveRefundsSchedule.run(world().context, new AbortController().signal)
    expect((await stored()).status).toBe('refunded')
    expect((await balancesOf(world(), one.tenant))['merchant:available NGN']).toBe(3_000n)
  })

  it('counts payouts that wait as gone', async () => {
    expect((await one.payOut({ amount: 970 })).status).toBe(200)
    expect((await refund(0)).status).toBe(200)
    expect((await refund(1, 10_000)).status).toBe(202)
  })

  it('counts a refund without an answer as gone', async () => {
    const lost = { operation: 'POST /transactions/:id/refund', effect: 'drop', count: 1 }
    await world().simulator.rule(one.tenant, lost)
    expect((await refund(0)).status).toBe(502)
    expect((await refund(1)).status).toBe(202)
  })

  it('lets no payout take the money of a refund without an answer', async () => {
    const lost = { operation: 'POST /transactions/:id/refund', effect: 'drop_after', count: 1 }
    await world().simulator.rule(one.tenant, lost)
    expect((await refund(0)).status).toBe(502)
    expect((await one.payOut({ amount: 970.01 })).status).toBe(400)
    expect((await one.payOut({ amount: 970 })).status).toBe(200)
    const [balance] = await listBusinessBalances(world().database.sql, one.tenant)
    expect(balance).toMatchObject({ availableMinor: 0n, reservedMinor: 197_000n })
    const behind = { part: 'reserved', currency: 'NGN', limit: 10 } as const
    const { payouts, refunds } = await runOperation(
      listBalanceEntries,
      world().context,
      owner,
      behind,
    )
    expect(payouts).toMatchObject([{ amountMinor: 97_000n }])
    expect(refunds).toMatchObject([{ paymentId: payments[0], amountMinor: 100_000n }])
  })

  it('counts a refund that ends meanwhile once', async () => {
    const { context, database } = world()
    const lost = { operation: 'POST /transactions/:id/refund', effect: 'drop', count: 1 }
    await world().simulator.rule(one.tenant, lost)
    expect((await refund(0)).status).toBe(502)
    const pending = await listReservingRefunds(database.sql, one.tenant, 'NGN', 1)
    const wanted = { currency: 'NGN', amountMinor: 100_000n }
    // Readers of refunds wait until it is posted; readers of the ledger alone don't.
    const reading = await database.transaction(async (tx) => {
      await tx`lock table merchant.refunds`
      const verdict = { status: 'accepted', refundId: '17' } as const
      await settleRefund(tx, context, owner, pending[0] ?? { id: '', paymentId: '' }, verdict)
      const read = getBalanceAfterRefund(database.sql, one.tenant, wanted)
      await untilBlocked(database.sql, 1)
      return { read }
    })
    expect(await reading.read).toMatchObject({ availableMinor: -3_000n })
  })

  it('does not let two through at once by the same money', async () => {
    expect((await refund(0, 90_000)).status).toBe(200)
    const both = await Promise.all([refund(0, 10_000), refund(1, 100_000)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 202])
  })

  it('lets as much be overdrawn as the business says', async () => {
    await put('overdraft', 3_000n)
    expect((await refund(0)).status).toBe(200)
    expect((await refund(1)).status).toBe(200)
  })

  it('is off again once it is taken away', async () => {
    await put('overdraft', null)
    expect((await refund(0)).status).toBe(200)
    expect((await refund(1)).status).toBe(200)
  })

  it('is kept by the database as well', async () => {
    expect((await refund(0)).status).toBe(200)
    await expect(world().database.sql`
      update merchant.refunds
      set overdraft_left_minor = -1
      where payment_id = ${payments[0] ?? ''}`).rejects.toThrow('overdraft_left_minor')
  })
})

describe('setting them', () => {
  const ask = (operation: 'payout' | 'daily_payouts' | 'overdraft', amountMinor: bigint | null) =>
    runOperation(requestThreshold, world().context, owner, {
      operation,
      currency: 'NGN',
      amountMinor,
    })

  const optional = async () =>
    (await listOwnThresholds(world().database.sql, one.tenant.businessId)).filter(
      ({ operation }) => operation !== 'payout',
    )

  it('waits for a second person, and so does taking one away', async () => {
    const first = await ask('daily_payouts', 1n)
    expect(await optional()).toEqual([])
    await approve(first.approvalId ?? '')
    const set = [{ operation: 'daily_payouts', currency: 'NGN', amountMinor: 1n }]
    expect(await optional()).toEqual(set)
    const second = await ask('daily_payouts', null)
    expect(await optional()).toEqual(set)
    await approve(second.approvalId ?? '')
    expect(await optional()).toEqual([])
  })

  it('does not take a documented one away', async () => {
    await expect(ask('payout', null)).rejects.toMatchObject({ kind: 'invalid_request' })
  })
})
