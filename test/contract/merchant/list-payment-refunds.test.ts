import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { paidPayment, payment, shop } from '../../support/payments.ts'

const { world, call } = useContract()
const base = '/merchant/api/v1/payments'

describe('200', () => {
  it('has each refund of the payment, failed ones too, the oldest first', async () => {
    const owner = await shop(world(), { environment: 'test' })
    const { id } = await paidPayment(world(), owner)
    const refund = (amount: number) =>
      call('POST', `${base}/${id}/refund`, { key: owner.key, body: { amount } })
    const first = await refund(20_000)
    const operation = 'POST /transactions/:id/refund'
    const refusal = { operation, effect: 'refuse', status: 400, count: 1 }
    await world().simulator.rule(owner.tenant, refusal)
    expect((await refund(30_000)).status).toBe(502)
    const { status, body } = await call('GET', `${base}/${id}/refunds`, { key: owner.key })
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { id: first.body.refund_id, amount: 20_000, status: 'succeeded', cause: 'requested' },
      { amount: 30_000, status: 'failed', failure_reason: expect.any(String) },
    ])
    const { body: whole } = await call('GET', `${base}/${id}`, { key: owner.key })
    expect(whole.refunds).toEqual(body.data)
  })
})

describe('404', () => {
  it('is the answer for a payment of another business', async () => {
    const { id } = await payment(world())
    const { key } = await shop(world())
    expect((await call('GET', `${base}/${id}/refunds`, { key })).status).toBe(404)
  })
})
