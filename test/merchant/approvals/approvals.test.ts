// Four eyes: who can decide an approval, what is executed then, and how often.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonActor, Role } from '../../../src/kernel/auth/actor.ts'
import { createPeople, type People } from '../../../src/kernel/auth/people.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approvalLifeSeconds } from '../../../src/merchant/approvals/approval.ts'
import {
  findApproval,
  listApprovals,
  updateApprovalDecided,
} from '../../../src/merchant/approvals/approval-store.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { expireApprovalsSchedule } from '../../../src/merchant/approvals/expire-approvals.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { setThreshold } from '../../../src/merchant/approvals/set-threshold.ts'
import type { Payment } from '../../../src/merchant/payments/payment.ts'
import { resolveRefundsSchedule } from '../../../src/merchant/refunds/resolve-refunds.ts'
import { manualClock } from '../../support/clock.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { putPerson } from '../../support/put-person.ts'
import { useWorld } from '../../support/world.ts'
import { paidPayment, putThreshold, stateOf } from '../refunds/paid-payment.ts'

const clock = manualClock()
const world = useWorld({ clock })

let people: People
let tenant: Tenant
let payment: Payment
let key: string
let requester: PersonActor

beforeAll(async () => {
  people = await createPeople(world().context, world().context)
})

beforeEach(async () => {
  tenant = { businessId: await world().business(), environment: 'live' }
  requester = await member('owner')
  const createdBy = requester.personId
  key = (await world().key({ service: 'merchant', ...tenant, createdBy })).text
  payment = await paidPayment(world(), tenant, 100_000n)
})

async function member(role: Role, of: Tenant = tenant): Promise<PersonActor> {
  const { personId } = await putPerson(world().context)
  await world().database.transaction((tx) =>
    people.addMembership(tx, of.businessId, personId, role),
  )
  return { kind: 'person', personId, role, ...of }
}

const refund = (body: object = {}) =>
  world().call('POST', `/merchant/api/v1/payments/${payment.id}/refund`, { key, body })
const state = () => stateOf(world(), tenant, payment.id)
const found = (id: string) => findApproval(world().database.sql, tenant, id)

const { signal } = new AbortController()
const expireApprovals = () => expireApprovalsSchedule.run(world().context, signal)
const resolveRefunds = () => resolveRefundsSchedule.run(world().context, signal)

async function held(body: object = {}): Promise<string> {
  const answer = await refund(body)
  expect(answer.status).toBe(202)
  return answer.body.approvalId
}

describe('an approved refund', () => {
  // covers: 7. Refunds and payouts above the per-currency
  it('is executed once, as it was asked for', async () => {
    const id = await held({ amount: 300_000 })
    const approver = await member('approver')
    await runOperation(approveApproval, world().context, approver, { id })
    expect((await state()).refunds).toMatchObject([
      { status: 'pending', amountMinor: 300_000n, approvalId: id, requestedByKind: 'key' },
    ])
    await resolveRefunds()
    const after = await state()
    expect(after.payment).toMatchObject({ status: 'partially_refunded', refundedMinor: 300_000n })
    expect(after.effects).toBe(1)
    expect(after.events).toMatchObject([{ refund_amount: 300_000, fully_refunded: false }])
    expect(await found(id)).toMatchObject({
      state: 'approved',
      decidedBy: approver.personId,
      decidedAt: clock.now(),
      executedAt: clock.now(),
    })
    await expectInvariants(world().database)
  })

  it.each(['owner', 'admin', 'approver'] as const)('can be approved by an %s', async (role) => {
    const id = await held()
    await runOperation(approveApproval, world().context, await member(role), { id })
    expect((await found(id))?.state).toBe('approved')
  })

  it('keeps others from beginning until it has ended', async () => {
    await runOperation(approveApproval, world().context, await member('admin'), {
      id: await held(),
    })
    expect((await refund({ amount: 10_000 })).status).toBe(409)
  })

  it('cannot be approved twice, not even at the same moment', async () => {
    const id = await held()
    const approvers = [await member('admin'), await member('approver'), await member('owner')]
    const results = await Promise.allSettled(
      approvers.map((approver) => runOperation(approveApproval, world().context, approver, { id })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await resolveRefunds()
    expect(await state()).toMatchObject({ effects: 1, refunds: [{ approvalId: id }] })
    await expect(
      runOperation(approveApproval, world().context, await member('admin'), { id }),
    ).rejects.toThrow('The approval is already approved.')
  })

  it('is recorded in the audit log with the name of the approver', async () => {
    const id = await held()
    const approver = await member('admin')
    await runOperation(approveApproval, world().context, approver, { id })
    const acts = await world().database.sql<{ action: string; actorId: string }[]>`
      select action, actor_id
      from kernel.audit_log
      where business_id = ${tenant.businessId}
        and (object_id = ${id} or action = 'refund.create')
      order by id`
    expect(acts.map(({ action }) => action)).toEqual([
      'approval.request',
      'approval.approve',
      'refund.create',
    ])
    expect(acts.at(-1)?.actorId).toBe(approver.personId)
  })
})

describe('no one can approve', () => {
  // covers: 7. Refunds and payouts above the per-currency
  it('what they asked for by a key of theirs', async () => {
    const id = await held()
    await expect(
      runOperation(approveApproval, world().context, requester, { id }),
    ).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    await expectUndecided(id)
  })

  // covers: 7. Refunds and payouts above the per-currency
  it.each(['member', 'viewer'] as const)('with the role %s', async (role) => {
    const id = await held()
    await expect(
      runOperation(approveApproval, world().context, await member(role), { id }),
    ).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    await expectUndecided(id)
  })

  it('with a role that they only claim, or in a business that is not theirs', async () => {
    const id = await held()
    const claimed: PersonActor = { ...(await member('viewer')), role: 'owner' }
    const other = { businessId: await world().business(), environment: 'live' } as const
    const stranger = { ...(await member('owner', other)), ...tenant }
    for (const person of [claimed, stranger]) {
      await expect(runOperation(approveApproval, world().context, person, { id })).rejects.toThrow(
        'can no longer decide',
      )
    }
    const elsewhere = await member('owner', other)
    await expect(
      runOperation(approveApproval, world().context, elsewhere, { id }),
    ).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expectUndecided(id)
  })

  it('past the thirty days', async () => {
    const id = await held()
    const approver = await member('admin')
    clock.advance(approvalLifeSeconds * 1000)
    await expect(runOperation(approveApproval, world().context, approver, { id })).rejects.toThrow(
      'has expired',
    )
    await expectUndecided(id)
  })

  it('what has been rejected', async () => {
    const id = await held()
    await runOperation(rejectApproval, world().context, await member('admin'), {
      id,
      reason: 'The payer was refunded in cash',
    })
    expect(await found(id)).toMatchObject({
      state: 'rejected',
      reason: 'The payer was refunded in cash',
      executedAt: null,
    })
    await expect(
      runOperation(approveApproval, world().context, await member('owner'), { id }),
    ).rejects.toThrow('The approval is already rejected.')
    expect(await state()).toMatchObject({
      refunds: [],
      effects: 0,
      payment: { status: 'succeeded' },
    })
  })

  it('what is not any more as it was when it was asked for: it is void', async () => {
    const id = await held({ amount: 300_000 })
    expect((await refund({ amount: 50_000 })).status).toBe(200)
    const approver = await member('admin')
    // There is enough left for it; it is another refund all the same.
    await expect(
      runOperation(approveApproval, world().context, approver, { id }),
    ).rejects.toMatchObject({ kind: 'conflict' })
    await expectVoid(id, 1)
    await expect(
      runOperation(approveApproval, world().context, approver, { id }),
    ).rejects.toMatchObject({
      kind: 'invalid_request',
    })
    const reason = null
    await expect(
      runOperation(rejectApproval, world().context, approver, { id, reason }),
    ).rejects.toMatchObject({
      kind: 'invalid_request',
    })
  })

  it('a refund of which nothing is left to refund: it is void', async () => {
    const id = await held({ amount: 300_000 })
    const other = await held()
    const approver = await member('admin')
    await runOperation(approveApproval, world().context, approver, { id: other })
    await resolveRefunds()
    await expect(
      runOperation(approveApproval, world().context, approver, { id }),
    ).rejects.toMatchObject({ kind: 'conflict' })
    await expectVoid(id, 1)
  })

  it('a second refund while the first is in flight; it waits, and is void afterwards', async () => {
    const [first, second] = [await held({ amount: 200_000 }), await held({ amount: 200_000 })]
    const approver = await member('admin')
    await runOperation(approveApproval, world().context, approver, { id: first })
    await expect(
      runOperation(approveApproval, world().context, approver, { id: second }),
    ).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect((await found(second))?.state).toBe('pending')
    await resolveRefunds()
    await expect(
      runOperation(approveApproval, world().context, approver, { id: second }),
    ).rejects.toMatchObject({
      kind: 'conflict',
    })
    await expectVoid(second, 1)
  })

  async function expectVoid(id: string, effects: number) {
    expect(await found(id)).toMatchObject({
      state: 'void',
      reason: expect.stringContaining('has changed'),
      decidedBy: null,
      executedAt: null,
    })
    const { refunds, effects: done } = await state()
    expect(refunds.filter(({ approvalId }) => approvalId === id)).toEqual([])
    expect(done).toBe(effects)
    await expectInvariants(world().database)
  }

  it('for a business whose verification was taken back', async () => {
    const id = await held()
    await world().database.sql`
      update merchant.profiles
      set kyc_status = 'rejected'
      where business_id = ${tenant.businessId}`
    await expect(
      runOperation(approveApproval, world().context, await member('admin'), { id }),
    ).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    await expectUndecided(id)
  })

  async function expectUndecided(id: string) {
    expect(await found(id)).toMatchObject({ state: 'pending', executedAt: null })
    await resolveRefunds()
    expect((await state()).payment.refundedMinor).toBeLessThanOrEqual(50_000n)
    expect((await state()).refunds.filter(({ approvalId }) => approvalId)).toEqual([])
  }
})

describe('the database itself', () => {
  it('refuses a decision by the person behind the request', async () => {
    const id = await held()
    await expect(
      world().database.sql`
        update merchant.approvals
        set state = 'approved',
          decided_by = requester_person_id,
          decided_at = created_at
        where id = ${id}`,
    ).rejects.toMatchObject({ code: '23514' })
    const decision = {
      id,
      state: 'approved',
      roles: ['owner', 'admin', 'approver'],
      heldSince: clock.now(),
      decidedBy: requester.personId,
      decidedAt: clock.now(),
      executedAt: clock.now(),
      reason: null,
    } as const
    const decide = () =>
      world().database.transaction((tx) => updateApprovalDecided(tx, tenant, decision))
    expect(await decide()).toBe(false)
  })

  it('refuses an execution of what was not approved', async () => {
    const id = await held()
    await expect(
      world().database.sql`
        update merchant.approvals
        set executed_at = created_at
        where id = ${id}`,
    ).rejects.toMatchObject({ code: '23514' })
  })
})

describe('an invariant', () => {
  const broken = () => brokenInvariants(world().database)

  it('finds an approval without its refund, and a refund of another amount', async () => {
    const { sql } = world().database
    const id = await held({ amount: 200_000 })
    await runOperation(approveApproval, world().context, await member('admin'), { id })
    expect(await broken()).toEqual([])
    await sql`update merchant.refunds set amount_minor = 200001 where approval_id = ${id}`
    expect(await broken()).toEqual(['I13.1'])
    await sql`update merchant.refunds set approval_id = null where approval_id = ${id}`
    expect(await broken()).toEqual(['I13.1', 'I13.3'])
    await sql`delete from merchant.refunds where payment_id = ${payment.id}`
    await sql`
      update merchant.approvals
      set state = 'pending',
        decided_by = null,
        decided_at = null,
        executed_at = null
      where id = ${id}`
    expect(await broken()).toEqual([])
  })

  it('finds a refund that was executed and not booked', async () => {
    const { sql } = world().database
    expect((await refund({ amount: 50_000 })).status).toBe(200)
    const status = (await state()).refunds[0]?.status ?? ''
    await sql`update merchant.refunds set status = 'reversed' where payment_id = ${payment.id}`
    expect(await broken()).toContain('I2.2')
    await sql`update merchant.refunds set status = ${status} where payment_id = ${payment.id}`
    expect(await broken()).toEqual([])
  })
})

describe('expiry', () => {
  it('ends what no one decided within thirty days, and nothing sooner', async () => {
    const id = await held()
    clock.advance(approvalLifeSeconds * 1000 - 1)
    await expireApprovals()
    expect((await found(id))?.state).toBe('pending')
    clock.advance(1)
    await expireApprovals()
    expect((await found(id))?.state).toBe('expired')
    await expect(
      runOperation(rejectApproval, world().context, await member('admin'), { id, reason: null }),
    ).rejects.toThrow('The approval is already expired.')
  })
})

describe('the list', () => {
  it('has the newest first, of one business and environment, by state', async () => {
    const [first, second] = [await held({ amount: 150_000 }), await held({ amount: 160_000 })]
    await runOperation(rejectApproval, world().context, await member('admin'), {
      id: first,
      reason: null,
    })
    const { sql } = world().database
    const ids = async (...wanted: Parameters<typeof listApprovals>) =>
      (await listApprovals(...wanted)).map(({ id }) => id)
    expect(await ids(sql, tenant, undefined, 10)).toEqual([second, first])
    expect(await ids(sql, tenant, 'pending', 10)).toEqual([second])
    expect(await ids(sql, { ...tenant, environment: 'test' }, undefined, 10)).toEqual([])
  })
})

describe('a threshold', () => {
  it('decides the next refund, and its change is written down', async () => {
    await putThreshold(world(), tenant, 'NGN', null)
    expect((await refund({ amount: 10_000 })).status).toBe(202)
    const threshold = { operation: 'refund', currency: 'NGN', amountMinor: 10_000n } as const
    await world().database.transaction((tx) =>
      setThreshold(tx, world().context, requester, threshold),
    )
    expect((await refund({ amount: 10_000 })).status).toBe(200)
    expect((await refund({ amount: 10_000 })).status).toBe(202)
    const [act] = await world().database.sql<{ detail: object }[]>`
      select detail
      from kernel.audit_log
      where business_id = ${tenant.businessId}
        and action = 'approval_threshold.set'`
    expect(act?.detail).toEqual({
      operation: 'refund',
      currency: 'NGN',
      amountMinor: '10000',
      beforeMinor: null,
    })
  })
})
