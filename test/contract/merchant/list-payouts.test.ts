import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { payer } from '../../support/payouts.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payouts'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('200', () => {
  it('reads on after a payout, and refuses one that is not there', async () => {
    const one = await payer(world(), {}, call)
    const ids: string[] = []
    for (let made = 0; made < 3; made += 1) {
      ids.unshift((await one.payOut({ destinationType: 'service_account' })).body.payoutId)
    }
    const after = await call('GET', `${path}?starting_after=${ids[0]}`, { key: one.key })
    expect(after.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1))
    const unknown = await call('GET', `${path}?starting_after=${one.tenant.businessId}`, {
      key: one.key,
    })
    expect(unknown.status).toBe(400)
  })

  // covers: A payout record has id
  // covers: pending, processing, completed, failed, cancelled
  it('shows payouts in every state, newest first, in major and minor units', async () => {
    const one = await payer(world(), { thresholdMinor: 200_000n }, call)
    await one.payOut({ destinationType: 'service_account', amount: 10.5 })
    await one.payOut({ amount: 20 })
    await world().simulator.rule(one.tenant, {
      operation: 'POST /transfers',
      effect: 'refuse',
      status: 400,
      reason: 'Our wallet is empty',
      count: 1,
    })
    expect((await one.payOut({ amount: 30 })).status).toBe(502)
    const taken = await one.payOut({ amount: 2000.02 })
    await call('POST', `${path}/${taken.body.payoutId}/cancel`, { key: one.key })
    const held = await one.payOut({ amount: 2000.01 })
    const { status, body } = await call('GET', path, { key: one.key })
    expect(status).toBe(200)
    const common = {
      id: expect.stringMatching(uuid),
      currency: 'NGN',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }
    expect(body).toEqual({
      data: [
        {
          ...common,
          amount: 2000.01,
          amount_minor: 200_001,
          status: 'pending',
          destination_type: 'provider_bank',
          approval_id: held.body.approvalId,
          completed_at: null,
        },
        {
          ...common,
          amount: 2000.02,
          amount_minor: 200_002,
          status: 'cancelled',
          destination_type: 'provider_bank',
          approval_id: taken.body.approvalId,
          completed_at: null,
        },
        {
          ...common,
          amount: 30,
          amount_minor: 3000,
          status: 'failed',
          failure_reason: 'refused by the payment provider',
          destination_type: 'provider_bank',
          approval_id: null,
          completed_at: null,
        },
        {
          ...common,
          amount: 20,
          amount_minor: 2000,
          status: 'processing',
          destination_type: 'provider_bank',
          approval_id: null,
          completed_at: null,
        },
        {
          ...common,
          amount: 10.5,
          amount_minor: 1050,
          status: 'completed',
          destination_type: 'service_account',
          approval_id: null,
          completed_at: expect.any(String),
        },
      ],
    })
  })

  // covers: GET /payouts, payouts:read: 200 the 50 most recent payouts
  // covers: GET /payouts: 50 most recent
  it('has the fifty most recent and no more', async () => {
    const one = await payer(world(), {}, call)
    const ids: string[] = []
    for (let made = 0; made < 52; made += 1) {
      const { body } = await one.payOut({ destinationType: 'service_account', amount: 1 })
      ids.unshift(body.payoutId)
    }
    const { body } = await call('GET', path, { key: one.key })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 50))
  })

  it('shows no bank number to anybody', async () => {
    const one = await payer(world(), {}, call)
    await one.payOut()
    expect((await call('GET', path, { key: one.key })).text).not.toContain('0690000031')
  })

  // covers: Payouts are for live keys only
  it('is empty for a business without payouts, and for a sandbox key', async () => {
    const one = await payer(world(), {}, call)
    await one.payOut()
    const stranger = await world().key({ service: 'merchant' })
    const sandbox = await world().key({ service: 'merchant', ...one.tenant, environment: 'test' })
    for (const { text } of [stranger, sandbox]) {
      expect((await call('GET', path, { key: text })).body).toEqual({ data: [] })
    }
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  // covers: GET /payouts, payouts:read: 200 the 50 most recent payouts
  it('is the answer to a key that may only make and cancel payouts', async () => {
    const scopes = ['payouts:create', 'payouts:cancel']
    const { text } = await world().key({ service: 'merchant', scopes })
    expect((await call('GET', path, { key: text })).status).toBe(403)
  })
})
