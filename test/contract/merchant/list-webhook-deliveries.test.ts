import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useWebhookWorld } from '../../support/webhook-world.ts'
import { deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'

const { world, call, subscriber, clock, drain, answer } = useWebhookWorld()
const pathOf = (id: string) => `/merchant/api/v1/webhooks/${id}/deliveries`
const log = (key: string, id: string) => call('GET', pathOf(id), { key })

describe('200', () => {
  it('is empty while nothing was sent', async () => {
    const { key, id } = await subscriber()
    const { status, body } = await log(key, id)
    expect(status).toBe(200)
    expect(body).toEqual({ data: [] })
  })

  // covers: Delivery log entry: attempt_number
  // covers: GET /webhooks/{id}/deliveries, webhooks:read_logs
  // covers: 1. A delivery succeeds on any 2xx response
  // covers: 2. Every attempt is logged (attempt_number
  it('shows every attempt, the newest first, with what comes next', async () => {
    const { tenant, key, id } = await subscriber()
    answer(502)
    await newEvent(world(), tenant, { type: 'payment.test' })
    await drain()
    const first = clock.now()
    clock.advance(60_000)
    answer(204)
    await drain()
    const [delivery] = await deliveriesOf(world(), tenant)
    const { body } = await log(key, id)
    const shared = {
      id: delivery?.id,
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: 'payment.test',
      manual: false,
      dead_lettered: false,
      duration_ms: expect.any(Number),
      request: { headers: expect.any(Object), body: expect.stringContaining('payment.test') },
      // The receiver of the test is at an address that the operator opened.
      response: { body: null },
    }
    expect(body.data).toEqual([
      {
        ...shared,
        attempt_number: 2,
        created_at: clock.now().toISOString(),
        succeeded: true,
        status_code: 204,
        error: null,
        next_retry_at: null,
      },
      {
        ...shared,
        attempt_number: 1,
        created_at: first.toISOString(),
        succeeded: false,
        status_code: 502,
        error: 'status',
        next_retry_at: clock.now().toISOString(),
      },
    ])
  })

  // covers: 2. Every attempt is logged (attempt_number
  it('plans nothing any more when the endpoint was removed, or a retry has succeeded', async () => {
    const { tenant, key, id } = await subscriber()
    const plans = async () =>
      (await log(key, id)).body.data.map((one: { next_retry_at: unknown }) => one.next_retry_at)
    answer(500)
    await newEvent(world(), tenant)
    await newEvent(world(), tenant)
    await drain()
    const due = new Date(clock.now().getTime() + 60_000).toISOString()
    expect(await plans()).toEqual([due, due])
    answer(200)
    clock.advance(1000)
    const [first, second] = await deliveriesOf(world(), tenant)
    await call('POST', `/merchant/api/v1/webhooks/deliveries/${second?.id}/retry`, { key })
    // The retry itself, and the attempts before it.
    expect(await plans()).toEqual([null, null, due])
    await call('DELETE', `/merchant/api/v1/webhooks/${id}`, { key })
    expect(await plans()).toEqual([null, null, null])
    expect((await log(key, id)).body.data[2]).toMatchObject({ id: first?.id, succeeded: false })
  })

  // covers: A non-2xx status, timeout
  it('says that no answer came, and nothing of what the network said', async () => {
    const { tenant, key } = await subscriber()
    const { id } = await newEndpoint(world(), tenant, 'https://127.0.0.1:1/closed')
    await newEvent(world(), tenant)
    await drain()
    const { body, text } = await log(key, id)
    expect(body.data).toMatchObject([{ status_code: null, error: 'connection' }])
    expect(text).not.toMatch(/ECONN|127\.0/)
  })

  // covers: Delivery log entry: attempt_number
  // covers: 4. After the fifth attempt the delivery
  it('marks the attempt after which a delivery is dead-lettered', async () => {
    const { tenant, key, id } = await subscriber()
    answer(500)
    await newEvent(world(), tenant)
    for (const minutes of [0, 1, 5, 30, 120]) {
      clock.advance(minutes * 60_000)
      await drain()
    }
    const { body } = await log(key, id)
    const marks = body.data.map((one: { dead_lettered: boolean }) => one.dead_lettered)
    expect(marks).toEqual([true, false, false, false, false])
    expect(body.data[0]).toMatchObject({ attempt_number: 5, next_retry_at: null })
  })

  it('shows the 100 most recent, whichever delivery they are of', async () => {
    const { tenant, key, id } = await subscriber()
    answer(500)
    await newEvent(world(), tenant)
    await drain()
    const [oldest] = await deliveriesOf(world(), tenant)
    clock.advance(1000)
    answer(200)
    for (let count = 0; count < 100; count += 1) await newEvent(world(), tenant)
    await drain()
    clock.advance(59_000)
    await drain()
    const { data } = (await log(key, id)).body
    expect(data).toHaveLength(100)
    expect(data[0]).toMatchObject({ id: oldest?.id, attempt_number: 2 })
    const others = data.slice(1).map((one: { id: string }) => one.id)
    expect(others).not.toContain(oldest?.id)
    expect(new Set(others).size).toBe(99)
  })

  // covers: GET /webhooks/{id}/deliveries, webhooks:read_logs
  it('shows those of one endpoint alone', async () => {
    const { tenant, key, id } = await subscriber()
    const other = await newEndpoint(world(), tenant, 'https://127.0.0.1:1/')
    await newEvent(world(), tenant)
    await drain()
    expect((await log(key, id)).body.data).toMatchObject([{ succeeded: true }])
    expect((await log(key, other.id)).body.data).toMatchObject([{ succeeded: false }])
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('GET', pathOf(randomUUID()))).status).toBe(401)
  })
})

describe('403', () => {
  // covers: GET /webhooks/{id}/deliveries, webhooks:read_logs
  it('is the answer to a key that may only manage endpoints', async () => {
    const { tenant, id } = await subscriber()
    const { text } = await world().key({
      service: 'merchant',
      ...tenant,
      scopes: ['webhooks:manage'],
    })
    expect((await log(text, id)).status).toBe(403)
  })
})

describe('404', () => {
  it('is the answer to an endpoint that there is not, or is of others', async () => {
    const { tenant, key } = await subscriber()
    const test = await subscriber({ businessId: tenant.businessId, environment: 'test' })
    const other = await subscriber()
    const books = await newEndpoint(world(), tenant, 'https://1.1.1.1/', 'books')
    for (const id of ['x', randomUUID(), test.id, other.id, books.id]) {
      expect((await log(key, id)).status).toBe(404)
    }
  })
})
