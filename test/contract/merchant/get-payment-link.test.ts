import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { shop } from '../../support/payments.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payment-links'
const order = { title: 'Order', currency: 'NGN' }

describe('200', () => {
  it('is the payment link as it was made, with its notes', async () => {
    const { key } = await shop(world())
    const notes = { reference: 'order-1001', metadata: { order_id: '1001' } }
    const made = await call('POST', path, { key, body: { ...order, ...notes } })
    expect(made.body).toMatchObject(notes)
    const { status, body } = await call('GET', `${path}/${made.body.id}`, { key })
    expect([status, body]).toEqual([200, made.body])
  })
})

describe('404', () => {
  it('is the answer for a payment link of another environment', async () => {
    const live = await shop(world())
    const sandbox = await shop(world(), { ...live.tenant, environment: 'test' })
    const { body } = await call('POST', path, { key: live.key, body: order })
    expect((await call('GET', `${path}/${body.id}`, { key: sandbox.key })).status).toBe(404)
  })
})
