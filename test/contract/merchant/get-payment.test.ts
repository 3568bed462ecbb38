import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { comeBack, newCode, newLink, paidPayment, payment, shop } from '../../support/payments.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payments'

const read = (key: string, id: string) => call('GET', `${path}/${id}`, { key })

describe('200', () => {
  // covers: id (uuid), amount (original amount)
  // covers: payment_link_id: uuid or null
  // covers: pending = record created, checkout not completed
  // covers: GET /payments/{id}, payments:read: 200 payment; 404
  it('is the payment in minor units, pending from the moment that Pay is pressed', async () => {
    const { key, id } = await payment(world())
    const { status, body } = await read(key, id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      amount: 100_000,
      currency: 'NGN',
      status: 'pending',
      refunded_amount: 0,
      fee_amount: 0,
      net_amount: 0,
      qr_code_id: null,
      payment_link_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      split_recipient_id: null,
      customer: { email: 'payer@example.com', name: null },
      method: null,
      reference: null,
      metadata: {},
      refunds: [],
      settled_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  // covers: fee_amount, net_amount: minor units in events
  it('has fee and net once it has succeeded, which together are the amount', async () => {
    const { key, id } = await paidPayment(world())
    const { body } = await read(key, id)
    expect(body).toMatchObject({
      status: 'succeeded',
      amount: 100_000,
      fee_amount: 1_500,
      net_amount: 98_500,
    })
  })

  it('shows how it was paid, when it settled, its refunds and the notes of its link', async () => {
    const owner = await shop(world(), { environment: 'test' })
    const notes = { reference: 'order-1001', metadata: { order_id: '1001', shop: 'Lagos' } }
    for (const page of [
      await newLink(world(), owner, notes),
      await newCode(world(), owner, notes),
    ]) {
      const { id } = await paidPayment(world(), owner, page)
      await call('POST', `${path}/${id}/refund`, { key: owner.key, body: { amount: 20_000 } })
      const { body } = await read(owner.key, id)
      expect(body).toMatchObject({
        ...notes,
        method: 'card',
        settled_at: expect.stringMatching(/Z$/),
        refunds: [{ amount: 20_000, currency: 'NGN', status: 'succeeded', cause: 'requested' }],
      })
    }
  })

  // covers: qr_code_id: uuid or null; set when paid through a QR code
  it('names the code, and not a link, when a code was paid', async () => {
    const owner = await shop(world())
    const { id } = await paidPayment(world(), owner, await newCode(world(), owner))
    const { body } = await read(owner.key, id)
    expect(body.payment_link_id).toBeNull()
    expect(body.qr_code_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  // covers: failure_reason: present on failed payments
  it('says why a payment failed', async () => {
    const { key, id, tenant, reference } = await payment(world())
    await world().simulator.pay(tenant, reference, 'insufficient_funds')
    await comeBack(world(), reference)
    expect((await read(key, id)).body).toMatchObject({
      status: 'failed',
      failure_reason: 'Insufficient Funds',
    })
  })

  it('takes an id in capitals', async () => {
    const { key, id } = await payment(world())
    expect((await read(key, id.toUpperCase())).body.id).toBe(id)
  })

  it('is answered to a sandbox key about its own world', async () => {
    const owner = await shop(world(), { environment: 'test' })
    const { id } = await payment(world(), owner, await newLink(world(), owner))
    expect((await read(owner.key, id)).status).toBe(200)
  })
})

describe('403', () => {
  // covers: GET /payments/{id}, payments:read: 200 payment; 404
  it('is answered to a key without payments:read', async () => {
    const { id, tenant } = await payment(world())
    const scopes = ['payments:cancel']
    const { text } = await world().key({ service: 'merchant', scopes, ...tenant })
    expect((await read(text, id)).status).toBe(403)
  })
})

describe('404', () => {
  // covers: GET /payments/{id}, payments:read: 200 payment; 404
  it('is answered for an id that is no one’s', async () => {
    const { key } = await shop(world())
    expect((await read(key, randomUUID())).status).toBe(404)
  })

  it('is answered in the same words for an id that cannot be one', async () => {
    const { key } = await shop(world())
    const answers = [await read(key, randomUUID()), await read(key, 'payment-1')]
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [404, 'No such payment.'],
      [404, 'No such payment.'],
    ])
  })

  // covers: GET /payments/{id}, payments:read: 200 payment; 404
  it('is answered for the payment of another business, and of the other environment', async () => {
    const { id, tenant } = await payment(world())
    const stranger = await shop(world())
    const sandbox = await shop(world(), { ...tenant, environment: 'test' })
    expect((await read(stranger.key, id)).status).toBe(404)
    expect((await read(sandbox.key, id)).status).toBe(404)
  })
})
