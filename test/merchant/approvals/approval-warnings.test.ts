// What an approver sees besides the request: what else waits, and what went through before.
import { beforeEach, expect, it } from 'vitest'
import type { PersonActor } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { getApprovalWarnings } from '../../../src/merchant/approvals/get-approval-warnings.ts'
import { listApprovals } from '../../../src/merchant/approvals/list-approvals.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { allowRefunds } from '../../support/app-visitor.ts'
import { manualClock } from '../../support/clock.ts'
import { newLink, paidPayment } from '../../support/payments.ts'
import { member, type Payer, payer } from '../../support/payouts.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })

let shop: Payer
let approver: PersonActor

beforeEach(async () => {
  // 500.00 NGN need no second person.
  shop = await payer(world(), { thresholdMinor: 50_000n })
  approver = await member(world(), shop.tenant, 'approver')
})

const held = async (amount: number): Promise<string> =>
  (await shop.payOut({ amount })).body.approvalId

const warnings = (id: string) =>
  runOperation(getApprovalWarnings, world().context, approver, { id })

it('counts and sums the others of its kind that wait', async () => {
  const [first] = [await held(600), await held(700), await held(800)]
  expect((await warnings(first)).alike).toEqual({ count: 2, totalMinor: 150_000n })
})

it('tells of payouts of a day that exceed the threshold together, and of no others', async () => {
  await shop.payOut({ amount: 400 })
  expect((await warnings(await held(600))).slices).toBeNull()
  await shop.payOut({ amount: 400 })
  const { slices } = await warnings(await held(600))
  expect(slices).toEqual({ count: 2, totalMinor: 80_000n, thresholdMinor: 50_000n })
  clock.advance(25 * 60 * 60 * 1000)
  expect((await warnings(await held(600))).slices).toBeNull()
})

it('tells of refunds of a day in the same way', async () => {
  await allowRefunds(world(), shop.tenant)
  const refund = async (amount: number) => {
    const { id } = await paidPayment(world(), shop, await newLink(world(), shop, { amount: 2000 }))
    const body = { amount: amount * 100 }
    const path = `/merchant/api/v1/payments/${id}/refund`
    return (await world().call('POST', path, { key: shop.key, body })).body
  }
  await refund(900)
  expect((await warnings((await refund(1500)).approvalId)).slices).toBeNull()
  await refund(800)
  const { slices } = await warnings((await refund(1600)).approvalId)
  expect(slices).toEqual({ count: 2, totalMinor: 170_000n, thresholdMinor: 100_000n })
})

it('the history can be filtered by state and kind, and names who decided', async () => {
  const [id] = [await held(600), await held(700)]
  await runOperation(rejectApproval, world().context, approver, { id, reason: 'No' })
  const list = (input: Parameters<typeof listApprovals.run>[2] | object) =>
    runOperation(listApprovals, world().context, approver, input)
  const rejected = await list({ state: 'rejected' })
  expect(rejected.map((approval) => approval.id)).toEqual([id])
  expect(rejected[0]?.deciderName).toBe('Ada')
  expect(await list({ state: 'rejected', operation: 'refund' })).toEqual([])
  expect(await list({ includesDecided: true, operation: 'payout' })).toHaveLength(2)
})
