import { describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { useContract } from '../../support/openapi.ts'
import { payer } from '../../support/payouts.ts'

const clock = manualClock()
const { world, call } = useContract({ clock })
const path = '/merchant/api/v1/approvals'

async function held() {
  const one = await payer(world(), { thresholdMinor: 0n }, call)
  const { approvalId, payoutId } = (await one.payOut({ amount: 1000 })).body
  const read = (key = one.key) => call('GET', `${path}/${approvalId}`, { key })
  return { ...one, approvalId, payoutId, read }
}

describe('200', () => {
  it('says what waits, and until when', async () => {
    const { read, approvalId, payoutId } = await held()
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toEqual({
      id: approvalId,
      operation: 'payout',
      status: 'pending',
      reason: null,
      payment_id: null,
      payout_id: payoutId,
      currency: 'NGN',
      amount_minor: 100_000,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      decided_at: null,
    })
  })

  it('says that it expired, from that moment on', async () => {
    const { read } = await held()
    clock.advance(30 * 24 * 60 * 60 * 1000)
    expect((await read()).body.status).toBe('expired')
  })
})

describe('403', () => {
  it('is the answer to a key that may read the other kind only', async () => {
    const { read, tenant } = await held()
    const scopes = ['payments:read']
    const { text } = await world().key({ service: 'merchant', scopes, ...tenant })
    const { status, body } = await read(text)
    expect([status, body.error]).toEqual([403, 'The key needs the scope payouts:read.'])
  })
})

describe('404', () => {
  it('is the answer for an approval of another business', async () => {
    const { read } = await held()
    const other = await payer(world(), {}, call)
    expect((await read(other.key)).status).toBe(404)
  })
})
