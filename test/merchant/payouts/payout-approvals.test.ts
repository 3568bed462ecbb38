// Held payouts: what is approved, what is checked again, and how they end.

import { beforeEach, describe, expect, it } from 'vitest'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import { operatorActor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approvalLifeSeconds } from '../../../src/merchant/approvals/approval.ts'
import { findApproval } from '../../../src/merchant/approvals/approval-store.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { expireApprovalsSchedule } from '../../../src/merchant/approvals/expire-approvals.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import {
  insertOrUpdateDefaultThreshold,
  insertOrUpdateThreshold,
} from '../../../src/merchant/approvals/threshold-store.ts'
import { writeSettlementAccount } from '../../../src/merchant/business/set-settlement-account.ts'
import { setPauses } from '../../../src/merchant/pauses/set-pauses.ts'
import { resolvePayoutsSchedule } from '../../../src/merchant/payouts/resolve-payouts.ts'
import { manualClock } from '../../support/clock.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import {
  member,
  overdraw,
  type Payer,
  payer,
  payoutState,
  settlementAccount,
} from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

let one: Payer
let requester: PersonActor
let approver: PersonActor

beforeEach(async () => {
  const businessId = await world().business()
  const tenant = { businessId, environment: 'live' } as const
  requester = await member(world(), tenant, 'owner')
  approver = await member(world(), tenant, 'approver')
  const createdBy = requester.personId
  one = await payer(world(), { businessId, createdBy, thresholdMinor: 50_000n })
})

const { signal } = new AbortController()
const resolve = () => resolvePayoutsSchedule.run(world().context, signal)
const approval = (id: string) => findApproval(world().database.sql, one.tenant, id)

async function held(body: object = {}) {
  const answer = await one.payOut(body)
  expect(answer.status).toBe(202)
  const { payoutId, approvalId } = answer.body
  return { approvalId, state: () => payoutState(world(), one.tenant, payoutId) }
}

async function changeAccount(change: Partial<typeof settlementAccount>) {
  const actor = { kind: 'system', name: 'test', ...one.tenant } as const
  await world().database.transaction((tx) =>
    writeSettlementAccount(tx, world().context, actor, { ...settlementAccount, ...change }),
  )
}

describe('an approved payout', () => {
  // covers: pending → processing by submission to the provider
  // covers: 7. Refunds and payouts above the per-currency
  it('is submitted at once, sent by the resolver, and booked when it is confirmed', async () => {
    const { approvalId, state } = await held()
    await runOperation(approveApproval, world().context, approver, { id: approvalId })
    expect(await state()).toMatchObject({
      payout: { status: 'processing', sends: 0, approvalId },
      effects: 0,
    })
    await resolve()
    expect(await state()).toMatchObject({ payout: { status: 'processing', sends: 1 }, effects: 1 })
    clock.advance(60_000)
    await world().simulator.drain()
    await resolve()
    expect(await state()).toMatchObject({
      payout: { status: 'completed' },
      entries: ['payout.completed'],
    })
    expect(await approval(approvalId)).toMatchObject({
      state: 'approved',
      decidedBy: approver.personId,
      executedAt: expect.any(Date),
    })
    await expectInvariants(world().database)
  })

  it('to the wallet is completed by the approval itself', async () => {
    const { approvalId, state } = await held({ destinationType: 'service_account' })
    await runOperation(approveApproval, world().context, approver, { id: approvalId })
    const after = await state()
    expect(after).toMatchObject({ payout: { status: 'completed' }, entries: ['payout.completed'] })
    expect(after.events.map(({ type }) => type)).toEqual(['payout.completed'])
    await expectInvariants(world().database)
  })

  it('that the provider refuses fails, with its event', async () => {
    const { approvalId, state } = await held()
    await world().simulator.rule(one.tenant, {
      operation: 'POST /transfers',
      effect: 'refuse',
      status: 400,
      count: 1,
    })
    await runOperation(approveApproval, world().context, approver, { id: approvalId })
    await resolve()
    const after = await state()
    expect(after).toMatchObject({ payout: { status: 'failed', sends: 1 }, entries: [] })
    expect(after.events.map(({ type }) => type)).toEqual(['payout.failed'])
  })

  it('tells who approves where the money goes, without the number', async () => {
    const { approvalId } = await held()
    const { request } = (await approval(approvalId)) ?? {}
    expect(request).toMatchObject({
      amountMinor: '100000',
      currency: 'NGN',
      destinationType: 'provider_bank',
      bankCode: '044',
      accountEnding: '0031',
      beneficiaryName: 'Corner shop',
      destination: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(JSON.stringify(request)).not.toContain('0690000031')
    const acts = await world().database.sql<{ detail: object }[]>`
      select detail
      from kernel.audit_log
      where business_id = ${one.tenant.businessId}`
    expect(JSON.stringify(acts)).not.toContain('0690000031')
  })
})

describe('no one can approve', () => {
  const expectHeld = async ({ approvalId, state }: Awaited<ReturnType<typeof held>>) => {
    expect(await state()).toMatchObject({ payout: { status: 'pending', sends: 0 }, effects: 0 })
    expect((await approval(approvalId))?.state).toBe('pending')
  }

  // covers: 7. Refunds and payouts above the per-currency
  it('what they asked for by a key of theirs', async () => {
    const payout = await held()
    await expect(
      runOperation(approveApproval, world().context, requester, { id: payout.approvalId }),
    ).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    await expectHeld(payout)
  })

  // covers: With the bank destination the payout goes
  it.each([
    ['number', { accountNumber: '0690000032' }],
    ['bank', { bankCode: '058' }],
    ['name', { beneficiaryName: 'Someone else' }],
  ])('a payout when the account has another %s than it had', async (_, change) => {
    const payout = await held()
    await changeAccount(change)
    await expect(
      runOperation(approveApproval, world().context, approver, { id: payout.approvalId }),
    ).rejects.toMatchObject({
      kind: 'conflict',
    })
    await expectHeld(payout)
    // Back as it was, it is what was agreed to.
    await changeAccount({})
    await runOperation(approveApproval, world().context, approver, { id: payout.approvalId })
    expect((await payout.state()).payout.status).toBe('processing')
  })

  it('a payout that the balance does not cover any more', async () => {
    const payout = await held()
    await overdraw(world(), one.tenant, 'NGN', 900_001n)
    await expect(
      runOperation(approveApproval, world().context, approver, { id: payout.approvalId }),
    ).rejects.toMatchObject({
      kind: 'invalid_request',
    })
    await expectHeld(payout)
  })

  it('while the business is not verified, or payouts are paused', async () => {
    const payout = await held()
    const { database, context } = world()
    const { businessId } = one.tenant
    const verified = (status: string) => database.sql`
      update merchant.profiles
      set kyc_status = ${status}
      where business_id = ${businessId}`
    await verified('pending')
    await expect(
      runOperation(approveApproval, context, approver, { id: payout.approvalId }),
    ).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    await verified('verified')
    const endsAt = new Date(clock.now().getTime() + 60_000)
    const pause = { kinds: ['payouts' as const], endsAt, reason: null }
    await runOperation(setPauses, context, operatorActor('test'), pause)
    await expect(
      runOperation(approveApproval, context, approver, { id: payout.approvalId }),
    ).rejects.toMatchObject({
      kind: 'service_paused',
    })
    await expectHeld(payout)
    clock.advance(60_000)
    await runOperation(approveApproval, context, approver, { id: payout.approvalId })
  })

  it('what has been taken back', async () => {
    const answer = await one.payOut()
    const { payoutId, approvalId } = answer.body
    const path = `/merchant/api/v1/payouts/${payoutId}/cancel`
    expect((await world().call('POST', path, { key: one.key })).status).toBe(200)
    await expect(
      runOperation(approveApproval, world().context, approver, { id: approvalId }),
    ).rejects.toThrow('The approval is already withdrawn.')
  })
})

describe('a payout that was not approved', () => {
  it('is cancelled when it is rejected, and its amount is free again', async () => {
    const { approvalId, state } = await held({ amount: 10_000 })
    await runOperation(rejectApproval, world().context, approver, {
      id: approvalId,
      reason: 'Not this month',
    })
    expect(await state()).toMatchObject({
      payout: { status: 'cancelled' },
      entries: [],
      events: [],
    })
    expect(await approval(approvalId)).toMatchObject({ state: 'rejected' })
    await held({ amount: 10_000 })
    await expectInvariants(world().database)
  })

  it('is cancelled when no one decided in thirty days', async () => {
    const { approvalId, state } = await held()
    clock.advance(approvalLifeSeconds * 1000 - 1)
    await expireApprovalsSchedule.run(world().context, signal)
    expect((await state()).payout.status).toBe('pending')
    clock.advance(1)
    await expireApprovalsSchedule.run(world().context, signal)
    expect((await state()).payout.status).toBe('cancelled')
    expect((await approval(approvalId))?.state).toBe('expired')
    await expectInvariants(world().database)
  })
})

describe('the invariants notice', () => {
  const broken = async (change: (businessId: string) => Promise<unknown>) => {
    await change(one.tenant.businessId)
    return brokenInvariants(world().database)
  }
  const { sql } = { sql: () => world().database.sql }

  it('a payout above the operator’s threshold, if the business has none', async () => {
    const bare = await payer(world(), { thresholdMinor: null })
    const put = (amountMinor: bigint, updatedAt: Date) =>
      insertOrUpdateDefaultThreshold(
        sql(),
        { operation: 'payout', currency: 'NGN', amountMinor },
        updatedAt,
      )
    const before = clock.now()
    await put(50_000n, before)
    clock.advance(1000)
    expect((await bare.payOut({ amount: 500 })).status).toBe(200)
    expect(await brokenInvariants(world().database)).toEqual([])
    await put(49_999n, before)
    expect(await brokenInvariants(world().database)).toEqual(['I13.2'])
    // One that was set later says nothing about what came before.
    await put(49_999n, clock.now())
    expect(await brokenInvariants(world().database)).toEqual([])
    // Without any, everything needs a second person.
    await sql()`delete from merchant.default_thresholds`
    expect(await brokenInvariants(world().database)).toEqual(['I13.2'])
    // The threshold of the business takes precedence over the operator's.
    await put(49_999n, before)
    const own = { operation: 'payout', currency: 'NGN', amountMinor: 50_000n } as const
    await world().database.transaction((tx) =>
      insertOrUpdateThreshold(tx, bare.tenant.businessId, own, before),
    )
    expect(await brokenInvariants(world().database)).toEqual([])
  })

  it('a payout that goes on without its approval, and a balance that is promised twice', async () => {
    const { approvalId } = await held()
    expect(
      await broken(
        (businessId) => sql()`
          update merchant.payouts
          set status = 'processing'
          where business_id = ${businessId}`,
      ),
    ).toEqual(['I6.2', 'I13.2'])
    await sql()`
      update merchant.payouts
      set status = 'pending'
      where approval_id = ${approvalId}`
    expect(
      await broken(
        (businessId) => sql()`
          update merchant.payouts
          set amount_minor = 1000001
          where business_id = ${businessId}`,
      ),
    ).toEqual(['I4.2'])
    await sql()`
      update merchant.payouts
      set amount_minor = 100000
      where approval_id = ${approvalId}`
  })

  it('a payout that is completed without its entry and its event, and above the threshold', async () => {
    const { body } = await one.payOut({ amount: 500 })
    expect(
      await broken(
        () => sql()`
          update merchant.payouts
          set status = 'completed', ended_at = updated_at, fee_minor = 0, amount_minor = 50001,
            provider_transfer_id = null
          where id = ${body.payoutId}`,
      ),
    ).toEqual(['I3.1', 'I7.4', 'I15.2'])
    clock.advance(1000)
    await sql()`
      update merchant.payouts
      set created_at = created_at + interval '1 second'
      where id = ${body.payoutId}`
    expect(await brokenInvariants(world().database)).toEqual(['I3.1', 'I7.4', 'I13.2', 'I15.2'])
  })

  it('a key that names no payout, and entries and events without one', async () => {
    const headers = { 'idempotency-key': 'order-17' }
    const { body } = await one.payOut(
      { amount: 1, destinationType: 'service_account' },
      { headers },
    )
    await sql()`delete from merchant.payouts where id = ${body.payoutId}`
    expect(await brokenInvariants(world().database)).toEqual(
      expect.arrayContaining(['I3.1', 'I5.2', 'I7.4']),
    )
  })
})
