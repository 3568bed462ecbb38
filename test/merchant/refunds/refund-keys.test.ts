// `Idempotency-Key` on refunds, for businesses that switched it on.
import { describe, expect, it } from 'vitest'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { rejectApproval } from '../../../src/merchant/approvals/reject-approval.ts'
import { setRefundKeys } from '../../../src/merchant/business/set-refund-keys.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useContract } from '../../support/openapi.ts'
import { member } from '../../support/payouts.ts'
import type { CallOptions } from '../../support/world.ts'
import { paidPayment, stateOf } from './paid-payment.ts'

const { world, call } = useContract()

const pathOf = (id: string) => `/merchant/api/v1/payments/${id}/refund`
const keyed = (key = 'refund-1001') => ({ headers: { 'idempotency-key': key } })

async function paidWithKeys({ thresholdMinor }: { thresholdMinor?: bigint } = {}) {
  const { text, businessId } = await world().key({ service: 'merchant' })
  const tenant = { businessId, environment: 'live' } as const
  const payment = await paidPayment(world(), tenant, thresholdMinor)
  const actor = { kind: 'system', name: 'test', ...tenant } as const
  const set = (isOn: boolean) => runOperation(setRefundKeys, world().context, actor, { isOn })
  await set(true)
  return {
    tenant,
    set,
    key: text,
    refund: (options: CallOptions = {}) =>
      call('POST', pathOf(payment.id), { key: text, ...options }),
    state: () => stateOf(world(), tenant, payment.id),
  }
}

describe('an Idempotency-Key', () => {
  it('makes one refund, and tells a repeat so, whatever the repeat asks for', async () => {
    const { refund, state } = await paidWithKeys()
    const first = await refund({ ...keyed(), body: { amount: 120_000 } })
    expect(first.body).toMatchObject({ refund_status: 'succeeded', refund_amount: 120_000 })
    expect(first.body).not.toHaveProperty('idempotentReplay')
    const repeat = await refund({ ...keyed(), body: { amount: 200_000 } })
    expect(repeat.status).toBe(200)
    expect(repeat.body).toEqual({ ...first.body, idempotentReplay: true })
    expect(
      (await refund({ ...keyed('refund-1002'), body: { amount: 10_000 } })).body,
    ).toMatchObject({
      refunded_amount: 130_000,
    })
    expect((await state()).effects).toBe(2)
    await expectInvariants(world().database)
  })

  it('shows a repeat a refund that failed, and does not send it again', async () => {
    const { refund, state, tenant } = await paidWithKeys()
    const operation = 'POST /transactions/:id/refund'
    await world().simulator.rule(tenant, { operation, effect: 'refuse', status: 400, count: 1 })
    expect((await refund(keyed())).status).toBe(502)
    const repeat = await refund(keyed())
    expect(repeat.status).toBe(200)
    expect(repeat.body).toMatchObject({
      status: 'succeeded',
      refunded_amount: 0,
      refund_status: 'failed',
      idempotentReplay: true,
    })
    expect((await state()).effects).toBe(0)
  })

  it('shows a repeat a refund without an answer as pending, and does not send it again', async () => {
    const { refund, state, tenant } = await paidWithKeys()
    const operation = 'POST /transactions/:id/refund'
    await world().simulator.rule(tenant, { operation, effect: 'drop_after', count: 1 })
    expect((await refund(keyed())).status).toBe(502)
    expect((await refund(keyed())).body).toMatchObject({ refund_status: 'pending' })
    expect((await state()).effects).toBe(1)
  })

  it('makes one refund of calls at once, and all of them name it', async () => {
    const { refund, state } = await paidWithKeys()
    const body = { amount: 10_000 }
    const calls = Array.from({ length: 8 }, () => refund({ ...keyed(), body }))
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.refund_id)).size).toBe(1)
    const firsts = answers.filter((answer) => !answer.body.idempotentReplay)
    expect(firsts).toHaveLength(1)
    expect((await state()).effects).toBe(1)
  })

  it('is answered 202 with the same approval while the refund is held', async () => {
    const { refund } = await paidWithKeys({ thresholdMinor: 0n })
    const first = await refund(keyed())
    expect(first.status).toBe(202)
    const repeat = await refund(keyed())
    expect(repeat.status).toBe(202)
    expect(repeat.body).toEqual({
      ...first.body,
      approvalStatus: 'pending',
      idempotentReplay: true,
    })
    await expectInvariants(world().database)
  })

  it('tells what became of a held refund that was not approved', async () => {
    const { refund, state, tenant, key } = await paidWithKeys({ thresholdMinor: 0n })
    const { approvalId: id } = (await refund(keyed())).body
    const approver = await member(world(), tenant, 'approver')
    await runOperation(rejectApproval, world().context, approver, { id, reason: 'Wrong order' })
    const repeat = await refund(keyed())
    expect(repeat.status).toBe(202)
    const approval = await call('GET', `/merchant/api/v1/approvals/${id}`, { key })
    expect([repeat.body.approvalStatus, approval.body.status]).toEqual(['rejected', 'rejected'])
    expect((await state()).refunds).toEqual([])
  })

  it('is answered 200 with the refund once a second person has approved it', async () => {
    const { refund, state, tenant } = await paidWithKeys({ thresholdMinor: 0n })
    const { approvalId } = (await refund(keyed())).body
    const approver = await member(world(), tenant, 'approver')
    await runOperation(approveApproval, world().context, approver, { id: approvalId })
    const repeat = await refund(keyed())
    expect(repeat.status).toBe(200)
    const [approved] = (await state()).refunds
    expect(repeat.body).toMatchObject({ refund_id: approved?.id, refund_status: 'pending' })
  })

  it('is not used up by a refused call', async () => {
    const { refund } = await paidWithKeys()
    expect((await refund({ ...keyed(), body: { amount: 500_001 } })).status).toBe(400)
    expect((await refund({ ...keyed(), body: { amount: 500_000 } })).status).toBe(200)
  })

  it('of another payment is refused', async () => {
    const { refund, tenant, key } = await paidWithKeys()
    await refund(keyed())
    const other = await paidPayment(world(), tenant)
    const answer = await call('POST', pathOf(other.id), { key, ...keyed() })
    expect([answer.status, answer.body.error]).toEqual([
      409,
      'This idempotency key was already used for another payment.',
    ])
    expect((await stateOf(world(), tenant, other.id)).refunds).toEqual([])
  })

  it.each([
    ['7 characters', 'k'.repeat(7), 400],
    ['8 characters', 'k'.repeat(8), 200],
    ['64 characters', 'k'.repeat(64), 200],
    ['65 characters', 'k'.repeat(65), 400],
  ])('of %s', async (_, key, expected) => {
    const { refund } = await paidWithKeys()
    expect((await refund(keyed(key))).status).toBe(expected)
  })

  it('is ignored where the business has not switched it on, or off again', async () => {
    const { refund, set } = await paidWithKeys()
    const body = { amount: 10_000 }
    const once = () => refund({ ...keyed('short'), body })
    await set(false)
    expect((await once()).body).toMatchObject({ refunded_amount: 10_000 })
    expect((await once()).body).toMatchObject({ refunded_amount: 20_000 })
  })
})
