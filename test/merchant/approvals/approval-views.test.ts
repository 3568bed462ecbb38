// What people see of approvals, thresholds and discrepancies, and who can decide.
import { beforeEach, describe, expect, it } from 'vitest'
import { type Actor, operatorActor, type PersonActor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { getApproval } from '../../../src/merchant/approvals/get-approval.ts'
import { getApprovalCount } from '../../../src/merchant/approvals/get-approval-count.ts'
import { listApprovals } from '../../../src/merchant/approvals/list-approvals.ts'
import { listThresholds } from '../../../src/merchant/approvals/list-thresholds.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { requestThreshold } from '../../../src/merchant/approvals/request-threshold.ts'
import { setDefaultThreshold } from '../../../src/merchant/approvals/set-default-threshold.ts'
import { withdrawApproval } from '../../../src/merchant/approvals/withdraw-approval.ts'
import { insertDiscrepancy } from '../../../src/merchant/discrepancies/discrepancy-store.ts'
import { listDiscrepancies } from '../../../src/merchant/discrepancies/list-discrepancies.ts'
import { resolveDiscrepancy } from '../../../src/merchant/discrepancies/resolve-discrepancy.ts'
import { member, type Payer, payer } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

let one: Payer
let viewer: PersonActor
let system: Actor

beforeEach(async () => {
  one = await payer(world(), { thresholdMinor: 50_000n })
  viewer = await member(world(), one.tenant, 'viewer')
  system = { ...one.tenant, kind: 'system', name: 'test' }
})

const held = async (amount: number): Promise<string> =>
  (await one.payOut({ amount })).body.approvalId

describe('an approval', () => {
  it('names who asked, and tells whether the same waits twice', async () => {
    const [first, second, other] = [await held(1000), await held(1000), await held(2000)]
    const { context } = world()
    const listed = await runOperation(listApprovals, context, viewer, {})
    const shown = listed.map(({ id, requesterName, isDuplicate }) => [
      id,
      requesterName,
      isDuplicate,
    ])
    expect(shown).toEqual([
      [other, 'Test key', false],
      [second, 'Test key', true],
      [first, 'Test key', true],
    ])
    expect(listed[0]).not.toHaveProperty('requestHash')
    expect(await runOperation(getApproval, context, viewer, { id: first })).toEqual(listed[2])
  })

  it('is counted while it waits', async () => {
    const { context } = world()
    const count = () => runOperation(getApprovalCount, context, viewer, {})
    expect(await count()).toBe(0)
    const id = await held(1000)
    await held(2000)
    expect(await count()).toBe(2)
    const admin = await member(world(), one.tenant, 'admin')
    await runOperation(rejectApproval, context, admin, { id, reason: 'Twice' })
    expect(await count()).toBe(1)
  })

  it('that was decided is no duplicate, and listed only where it is asked for', async () => {
    const [first, second] = [await held(1000), await held(1000)]
    const { context } = world()
    const admin = await member(world(), one.tenant, 'admin')
    const rejected = await runOperation(rejectApproval, context, admin, {
      id: first,
      reason: 'Twice',
    })
    expect(rejected).toMatchObject({ id: first, state: 'rejected', reason: 'Twice' })
    const waiting = await runOperation(listApprovals, context, viewer, {})
    expect(waiting).toMatchObject([{ id: second, isDuplicate: false }])
    const all = await runOperation(listApprovals, context, viewer, { includesDecided: true })
    expect(all.map(({ id, isDuplicate }) => [id, isDuplicate])).toEqual([
      [second, false],
      [first, false],
    ])
  })

  it('of nothing, or of another business, is not found', async () => {
    const id = await held(1000)
    const stranger = await member(world(), (await payer(world())).tenant, 'owner')
    await expect(
      runOperation(getApproval, world().context, stranger, { id }),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })

  const decisions = [approveApproval, withdrawApproval] as const
  it.each(decisions)('is decided by people alone: $name', async (operation) => {
    const id = await held(1000)
    const scopes = new Set(['payouts:create', 'payouts:cancel'])
    const ids = { keyId: world().context.ids.uuid(), createdBy: viewer.personId }
    const key: Actor = { ...one.tenant, kind: 'key', ...ids, scopes }
    for (const actor of [system, key, viewer]) {
      await expect(runOperation(operation, world().context, actor, { id })).rejects.toMatchObject({
        kind: 'permission_denied',
      })
    }
    const [still] = await runOperation(listApprovals, world().context, viewer, {})
    expect(still).toMatchObject({ id, state: 'pending' })
  })
})

describe('the thresholds', () => {
  it('of the business replace those of the operator', async () => {
    const { context } = world()
    for (const currency of ['NGN', 'USD']) {
      const threshold = { operation: 'payout', currency, amountMinor: 7n } as const
      await runOperation(setDefaultThreshold, context, operatorActor('test'), threshold)
    }
    const { own, defaults } = await runOperation(listThresholds, context, viewer, {})
    expect(own).toEqual([{ operation: 'payout', currency: 'NGN', amountMinor: 50_000n }])
    expect(defaults.map(({ currency, isReplaced }) => [currency, isReplaced])).toEqual([
      ['NGN', true],
      ['USD', false],
    ])
  })

  it('are set by an owner, and wait for someone else where there is one', async () => {
    const { context } = world()
    const threshold = { operation: 'payout', currency: 'USD', amountMinor: 5n } as const
    const owner = await member(world(), one.tenant, 'owner')
    const alone = await runOperation(requestThreshold, context, owner, threshold)
    expect(alone).toEqual({ ...threshold, approvalId: null })
    const admin = await member(world(), one.tenant, 'admin')
    const { approvalId } = await runOperation(requestThreshold, context, owner, threshold)
    expect(approvalId).not.toBeNull()
    for (const actor of [admin, system]) {
      await expect(runOperation(requestThreshold, context, actor, threshold)).rejects.toMatchObject(
        { kind: 'permission_denied' },
      )
    }
  })
})

describe('discrepancies', () => {
  it('are listed in their environment for people, and in both for the operator', async () => {
    const { context, database } = world()
    const found = { cause: 'late_success', objectKind: 'payment', detail: {} }
    await database.transaction(async (tx) => {
      for (const environment of ['live', 'test'] as const) {
        const id = context.ids.uuid()
        const row = { ...found, id, objectId: id, createdAt: context.clock.now() }
        await insertDiscrepancy(tx, { ...one.tenant, environment }, row)
      }
    })
    const listed = async (actor: Actor) => {
      const rows = await runOperation(listDiscrepancies, context, actor, {})
      return rows.map(({ environment }) => environment)
    }
    expect(await listed(viewer)).toEqual(['live'])
    expect(await listed(system)).toEqual(['live', 'test'])
    const [live] = await runOperation(listDiscrepancies, context, viewer, {})
    const resolving = { id: live?.id ?? '', reason: 'The bank was late' }
    await expect(
      runOperation(resolveDiscrepancy, context, viewer, resolving),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
    const admin = await member(world(), one.tenant, 'admin')
    await runOperation(resolveDiscrepancy, context, admin, resolving)
    expect(await listed(viewer)).toEqual([])
    const all = await runOperation(listDiscrepancies, context, viewer, { includesResolved: true })
    expect(all).toMatchObject([{ id: live?.id, resolution: 'The bank was late' }])
  })
})
