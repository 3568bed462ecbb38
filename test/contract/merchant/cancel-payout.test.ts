import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { findApproval } from '../../../src/merchant/approvals/approval-store.ts'
import { approveApproval } from '../../../src/merchant/approvals/approve-approval.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useContract } from '../../support/openapi.ts'
import { member, payer, payoutState, type WantedPayer } from '../../support/payouts.ts'
import type { CallOptions } from '../../support/world.ts'

const { world, call } = useContract()
const pathOf = (id: string) => `/merchant/api/v1/payouts/${id}/cancel`

async function held(wanted: WantedPayer = {}, body: object = {}) {
  const one = await payer(world(), { thresholdMinor: null, ...wanted }, call)
  const answer = await one.payOut(body)
  expect(answer.status).toBe(202)
  const { payoutId: id, approvalId } = answer.body
  return {
    ...one,
    id,
    approvalId,
    cancel: (options: CallOptions = {}) => call('POST', pathOf(id), { key: one.key, ...options }),
    state: () => payoutState(world(), one.tenant, id),
    approval: () => findApproval(world().database.sql, one.tenant, approvalId),
  }
}

describe('200', () => {
  // covers: pending → cancelled by POST /payouts/{id}/cancel while
  // covers: POST /payouts/{id}/cancel, payouts:cancel
  it('cancels a held payout, ends its approval and gives the balance back', async () => {
    const one = await held({}, { amount: 10_000 })
    const { status, body } = await one.cancel()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: one.id,
      status: 'cancelled',
      amount: 10_000,
      amount_minor: 1_000_000,
      currency: 'NGN',
      completed_at: null,
    })
    expect(await one.approval()).toMatchObject({ state: 'withdrawn', decidedBy: null })
    expect(await one.state()).toMatchObject({ entries: [], events: [], effects: 0 })
    expect((await one.payOut({ amount: 10_000 })).status).toBe(202)
    await expectInvariants(world().database)
  })

  it('leaves it cancelled when it is repeated', async () => {
    const one = await held()
    const first = await one.cancel()
    expect((await one.cancel({ body: {} })).body).toEqual(first.body)
    const acts = await world().database.sql`
      select action
      from kernel.audit_log
      where object_id = ${one.id}
        and action = 'payout.cancel'`
    expect(acts).toHaveLength(1)
  })

  it('is possible while the business is not verified: no money moves', async () => {
    const one = await held()
    await world().database.sql`
      update merchant.profiles
      set kyc_status = 'rejected'
      where business_id = ${one.tenant.businessId}`
    expect((await one.cancel()).status).toBe(200)
  })
})

describe('400', () => {
  // covers: POST /payouts/{id}/cancel, payouts:cancel
  // covers: 400 invalid_request: invalid input or a broken business rule
  it('is the answer for a payout that was submitted', async () => {
    const one = await payer(world(), {}, call)
    const { body } = await one.payOut()
    const answer = await call('POST', pathOf(body.payoutId), { key: one.key })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toBe('Only a pending payout can be cancelled.')
  })

  it('is the answer for a payout that is completed, or has failed', async () => {
    const one = await payer(world(), {}, call)
    const done = await one.payOut({ destinationType: 'service_account' })
    await world().simulator.rule(one.tenant, {
      operation: 'POST /transfers',
      effect: 'refuse',
      status: 400,
    })
    await one.payOut()
    const [failed] = (await call('GET', '/merchant/api/v1/payouts', { key: one.key })).body.data
    for (const id of [done.body.payoutId, failed.id]) {
      const answer = await call('POST', pathOf(id), { key: one.key })
      expect(answer.status).toBe(400)
      expect(answer.body.error).toBe('Only a pending payout can be cancelled.')
    }
  })

  // covers: POST /payouts/{id}/cancel, payouts:cancel
  it('is the answer once it was approved, before anything was sent', async () => {
    const one = await held()
    await runOperation(
      approveApproval,
      world().context,
      await member(world(), one.tenant, 'approver'),
      { id: one.approvalId },
    )
    expect((await one.cancel()).status).toBe(400)
    expect(await one.state()).toMatchObject({ payout: { status: 'processing', sends: 0 } })
  })

  it('is the answer to a body with anything in it', async () => {
    const one = await held()
    expect((await one.cancel({ body: { reason: 'none' } })).status).toBe(400)
    expect((await one.cancel({ rawBody: '[]' })).status).toBe(400)
    expect((await one.state()).payout.status).toBe('pending')
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('POST', pathOf(randomUUID()))).status).toBe(401)
  })
})

describe('403', () => {
  // covers: POST /payouts/{id}/cancel, payouts:cancel
  it('is the answer to a key that may make payouts and not cancel them', async () => {
    const one = await held()
    const scopes = ['payouts:create', 'payouts:read']
    const { text } = await world().key({ service: 'merchant', ...one.tenant, scopes })
    expect((await one.cancel({ key: text })).status).toBe(403)
    expect((await one.state()).payout.status).toBe('pending')
  })
})

describe('404', () => {
  it('is the answer for a payout of another business, to the sandbox, and for none', async () => {
    const one = await held()
    const stranger = await world().key({ service: 'merchant' })
    const sandbox = await world().key({ service: 'merchant', ...one.tenant, environment: 'test' })
    for (const { text } of [stranger, sandbox]) {
      const { status, body } = await one.cancel({ key: text })
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: 'No such payout.', code: 'not_found' })
    }
    expect((await call('POST', pathOf(randomUUID()), { key: one.key })).status).toBe(404)
    expect((await one.state()).payout.status).toBe('pending')
  })
})
