// Real webhooks over HTTPS, verified by the module, and those of the books also by the library that
// made the scheme known.
import Stripe from 'stripe'
import { beforeEach, expect, it } from 'vitest'
import { booksWebhooks } from '../../src/books/webhooks/webhook-profile.ts'
import { rotateSecret } from '../../src/kernel/endpoints/rotate-secret.ts'
import { merchantWebhooks } from '../../src/merchant/webhooks/webhook-profile.ts'
import { verifyWebhook } from '../../src/webhook-receiver/webhooks.ts'
import { paidPayment } from '../support/payments.ts'
import { handOut } from '../support/run-log.ts'
import { useWebhookWorld } from '../support/webhook-world.ts'
import { newEndpoint, newEvent } from '../support/webhooks.ts'

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

it.each([
  { profile: merchantWebhooks, names: ['x-service-signature', 'x-service-signature-new'] },
  { profile: booksWebhooks, names: ['x-accounting-signature', 'x-accounting-signature-new'] },
])(
  'goes on for old and new secret while one replaces the other ($profile.service)',
  async (one) => {
    const { profile, names } = one
    const tenant = { businessId: await world().business(), environment: 'live' } as const
    const service = profile.service as 'merchant' | 'books'
    const { id, secret: old } = await newEndpoint(world(), tenant, receiver().url, service)
    const actor = { ...tenant, kind: 'system', name: 'test' } as const
    const { secret: newer } = await rotateSecret(world().context, actor, profile, id, 24)
    handOut(newer)
    await newEvent(world(), tenant, { service, type: 'a.test' })
    await drain()
    const [sent] = receiver().received
    if (!sent) throw new Error('nothing was sent')
    expect(names.filter((name) => sent.headers[name] === undefined)).toEqual([])
    for (const [index, known] of [old, newer].entries()) {
      expect(verifyWebhook(sent.raw, sent.headers, known).type).toBe('a.test')
      if (service === 'merchant') continue
      const header = String(sent.headers[names[index] ?? ''])
      expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
      const { webhooks } = new Stripe('sk_test_not_used')
      const theirs: unknown = webhooks.constructEvent(sent.raw, header, known)
      expect(theirs).toMatchObject({ type: 'a.test' })
    }
    const stranger = old.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
    expect(() => verifyWebhook(sent.raw, sent.headers, stranger)).toThrow(/No signature/)
  },
)
