import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'
import { shop } from '../../support/payments.ts'

const { world, call } = useContract()
const path = '/merchant/api/v1/payment-links'
const order = { title: 'Order', currency: 'NGN' }

describe('200', () => {
  it('pages from the newest to the oldest, each as it was made', async () => {
    const { key } = await shop(world())
    const made: { id: string }[] = []
    for (let count = 0; count < 3; count += 1) {
      made.unshift((await call('POST', path, { key, body: order })).body)
    }
    const first = await call('GET', `${path}?limit=2`, { key })
    expect(first.body).toEqual({
      data: made.slice(0, 2),
      has_more: true,
      next_cursor: made[1]?.id,
    })
    const rest = await call('GET', `${path}?starting_after=${made[1]?.id}`, { key })
    expect(rest.body).toEqual({ data: made.slice(2), has_more: false, next_cursor: null })
  })

  it('has only those with a reference', async () => {
    const { key } = await shop(world())
    await call('POST', path, { key, body: order })
    const { body } = await call('POST', path, { key, body: { ...order, reference: 'order-7' } })
    const found = await call('GET', `${path}?reference=order-7`, { key })
    expect(found.body.data).toEqual([body])
  })
})

describe('400', () => {
  it('is the answer to a cursor of another business', async () => {
    const { key } = await shop(world())
    const other = await shop(world())
    const { body } = await call('POST', path, { key: other.key, body: order })
    expect((await call('GET', `${path}?starting_after=${body.id}`, { key })).status).toBe(400)
  })
})

describe('403', () => {
  it('is the answer to a key without payment_links:write', async () => {
    const { text: key } = await world().key({ service: 'merchant', scopes: ['payments:read'] })
    expect((await call('GET', path, { key })).status).toBe(403)
  })
})
