// What the engine really sent over HTTPS, verified by the module, and what the books sent by the
// library that made its scheme known.
import Stripe from 'stripe'
import { beforeEach, expect, it } from 'vitest'
import { verifyWebhook } from '../../src/webhook-receiver/webhooks.ts'
import { paidPayment } from '../support/payments.ts'
import { useWebhookWorld } from '../support/webhook-world.ts'
import { newEndpoint } from '../support/webhooks.ts'

const { clock, world, receiver, drain, subscriber } = useWebhookWorld()

// The library asks the machine for the time.
beforeEach(() => clock.set(new Date()))

it('verifies a payment that was made', async () => {
  const { tenant, key, secret } = await subscriber()
  const { id } = await paidPayment(world(), { tenant, key })
  await drain()
  const [sent] = receiver().received
  if (!sent) throw new Error('nothing was sent')
  const event = verifyWebhook(sent.raw, sent.headers, secret, { now: clock.now() })
  expect(event).toMatchObject({ service: 'merchant', type: 'payment.succeeded', data: { id } })
  expect(event.delivery).toMatchObject({ attempt: 1 })
})

it('is verified by the library of Stripe, which signs as the books do', async () => {
  const { text: key, businessId } = await world().key({ service: 'books' })
  const tenant = { businessId, environment: 'live' } as const
  const { secret } = await newEndpoint(world(), tenant, receiver().url, 'books')
  const body = { name: 'Søren & Søn ✓', email: 'hello@shop.example' }
  const created = await world().call('POST', '/books/api/v1/contacts', { key, body })
  expect(created.status).toBe(201)
  await drain()
  const [sent] = receiver().received
  if (!sent) throw new Error('nothing was sent')
  const header = String(sent.headers['x-accounting-signature'])
  const { webhooks } = new Stripe('sk_test_not_used')
  const theirs: unknown = webhooks.constructEvent(sent.raw, header, secret)
  expect(theirs).toMatchObject({
    type: 'contact.created',
    org_id: businessId,
    data: { id: created.body.id, name: body.name },
  })
  const ours = verifyWebhook(sent.raw, sent.headers, secret)
  expect(theirs).toEqual({
    ...{ id: ours.id, type: ours.type, created_at: ours.created_at, data: ours.data },
    org_id: businessId,
  })
  const other = Buffer.from(sent.raw)
  other.writeUInt8(other.readUInt8(10) ^ 1, 10)
  expect(() => webhooks.constructEvent(other, header, secret)).toThrow(/signature/i)
})
