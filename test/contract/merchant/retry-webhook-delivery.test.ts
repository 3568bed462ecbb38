import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isGenuine } from '../../support/receiver.ts'
import { type Subscriber, useWebhookWorld } from '../../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'

const { world, call, subscriber, clock, drain, answer, receiver } = useWebhookWorld()
const pathOf = (id: string) => `/merchant/api/v1/webhooks/deliveries/${id}/retry`
const retry = (key: string, id: string) => call('POST', pathOf(id), { key })

async function sentOnce({ tenant }: Subscriber, statusCode: number): Promise<string> {
  answer(statusCode)
  await newEvent(world(), tenant, { type: 'payment.test' })
  await drain()
  const [delivery] = await deliveriesOf(world(), tenant)
  return delivery?.id ?? ''
}

async function deadLettered(one: Subscriber): Promise<string> {
  const id = await sentOnce(one, 500)
  for (const minutes of [1, 5, 30, 120]) {
    clock.advance(minutes * 60_000)
    await drain()
  }
  expect(await deliveriesOf(world(), one.tenant)).toMatchObject([{ state: 'dead_lettered' }])
  return id
}

describe('200', () => {
  it('sends the same payload with a fresh timestamp and signature', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 200)
    clock.advance(3_600_000)
    const { status, body } = await retry(one.key, id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      webhook_id: one.id,
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: 'payment.test',
      retried: true,
    })
    await drain()
    const [first, second] = receiver().received
    if (!first || !second) throw new Error('two were expected')
    expect(second.raw).toEqual(first.raw)
    expect(second.headers['x-service-delivery-id']).toBe(first.headers['x-service-delivery-id'])
    expect(second.headers['x-service-attempt']).toBe('2')
    expect(isGenuine(second, one.secret, clock.now())).toBe(true)
    expect(isGenuine(first, one.secret, clock.now())).toBe(false)
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
  })

  it('leaves the schedule as it is when it fails', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    const due = clock.now().getTime() + 60_000
    clock.advance(10_000)
    await retry(one.key, id)
    await drain()
    const log = await attemptsOf(world(), one.tenant)
    expect(log).toMatchObject([
      { attemptNumber: 1, isManual: false },
      { attemptNumber: 2, isManual: true, nextRetryAt: new Date(due), deadLettered: false },
    ])
    clock.advance(50_000)
    await drain()
    for (const minutes of [5, 30, 120]) {
      clock.advance(minutes * 60_000)
      await drain()
    }
    const all = await attemptsOf(world(), one.tenant)
    expect(all.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5, 6])
    expect(all.filter(({ isManual }) => !isManual)).toHaveLength(5)
    expect(all.at(-1)).toMatchObject({ deadLettered: true })
  })

  it('closes the delivery when it succeeds', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    answer(200)
    await retry(one.key, id)
    await drain()
    clock.advance(86_400_000)
    await drain()
    expect(receiver().received).toHaveLength(2)
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
  })

  it('is possible after dead-lettering, whether it fails or succeeds', async () => {
    const one = await subscriber()
    const id = await deadLettered(one)
    await retry(one.key, id)
    await drain()
    expect((await attemptsOf(world(), one.tenant)).at(-1)).toMatchObject({
      attemptNumber: 6,
      isManual: true,
      nextRetryAt: null,
      deadLettered: true,
    })
    answer(200)
    await retry(one.key, id)
    await drain()
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
    expect((await attemptsOf(world(), one.tenant)).at(-1)).toMatchObject({
      attemptNumber: 7,
      error: null,
      deadLettered: false,
    })
  })

  it('is made after the attempt that is under way, not beside it', async () => {
    const one = await subscriber()
    let asked = false
    receiver().answer(async ({ headers }, response) => {
      if (!asked) {
        asked = true
        await retry(one.key, String(headers['x-service-delivery-id']))
      }
      response.writeHead(200).end()
    })
    await newEvent(world(), one.tenant)
    await drain()
    const log = await attemptsOf(world(), one.tenant)
    expect(log).toMatchObject([
      { attemptNumber: 1, isManual: false },
      { attemptNumber: 2, isManual: true },
    ])
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([{ isQueued: false }])
  })

  it('is one attempt when it is asked for twice before it is made', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 200)
    await Promise.all([retry(one.key, id), retry(one.key, id)])
    await drain()
    expect(receiver().received).toHaveLength(2)
  })
})

describe('400', () => {
  it('is the answer to a delivery whose endpoint was removed', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    await call('DELETE', `/merchant/api/v1/webhooks/${one.id}`, { key: one.key })
    const { status, body } = await retry(one.key, id)
    expect(status).toBe(400)
    expect(body.error.formErrors).toEqual(['The endpoint of this delivery was removed.'])
    await drain()
    expect(receiver().received).toHaveLength(1)
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('POST', pathOf(randomUUID()))).status).toBe(401)
  })
})

describe('403', () => {
  it('is the answer to a key that may read and manage, but not retry', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    const scopes = ['webhooks:manage', 'webhooks:read_logs']
    const { text } = await world().key({ service: 'merchant', ...one.tenant, scopes })
    expect((await retry(text, id)).status).toBe(403)
  })
})

describe('404', () => {
  it('is the answer to a delivery that there is not, or is of others', async () => {
    const one = await subscriber()
    const other = await sentOnce(await subscriber(), 200)
    const test = await sentOnce(
      await subscriber({ businessId: one.tenant.businessId, environment: 'test' }),
      200,
    )
    await newEndpoint(world(), one.tenant, 'https://1.1.1.1/', 'books')
    await newEvent(world(), one.tenant, { service: 'books', type: 'contact.test' })
    const [books] = await deliveriesOf(world(), one.tenant)
    for (const id of ['x', randomUUID(), other, test, one.id, books?.id ?? '']) {
      expect((await retry(one.key, id)).status).toBe(404)
    }
  })
})
