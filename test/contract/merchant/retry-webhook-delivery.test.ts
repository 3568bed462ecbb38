import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { retryDelivery } from '../../../src/kernel/endpoints/retry-delivery.ts'
import { createBulkheads } from '../../../src/kernel/webhooks/bulkheads.ts'
import { createClaimer } from '../../../src/kernel/webhooks/claim-deliveries.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'
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
  // covers: POST /webhooks/deliveries/{id}/retry, webhooks:retry
  // covers: Header `X-Service-Timestamp`: unix seconds at send time
  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('sends the same payload at once, with a fresh timestamp and signature', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 200)
    clock.advance(3_600_000)
    answer(204)
    const { status, body } = await retry(one.key, id)
    expect(status).toBe(200)
    // No worker has run since: the answer is of an attempt that was made.
    const [first, second] = receiver().received
    if (!first || !second) throw new Error('two were expected')
    expect(body).toEqual({
      id,
      webhook_id: one.id,
      event_id: second.headers['x-service-event-id'],
      event_type: 'payment.test',
      attempt_number: 2,
      manual: true,
      succeeded: true,
      status_code: 204,
      error: null,
      next_retry_at: null,
      dead_lettered: false,
      created_at: clock.now().toISOString(),
      // The clock stands still.
      duration_ms: 0,
    })
    expect(second.raw).toEqual(first.raw)
    expect(second.headers['x-service-delivery-id']).toBe(first.headers['x-service-delivery-id'])
    expect(second.headers['x-service-attempt']).toBe('2')
    expect(isGenuine(second, one.secret, clock.now())).toBe(true)
    expect(isGenuine(first, one.secret, clock.now())).toBe(false)
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
    const { body: log } = await call('GET', `/merchant/api/v1/webhooks/${one.id}/deliveries`, one)
    const { webhook_id: _, ...attempt } = body
    expect(log.data[0]).toMatchObject(attempt)
  })

  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('tells that it failed, and leaves the schedule as it is', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    const due = new Date(clock.now().getTime() + 60_000)
    clock.advance(10_000)
    answer(418)
    const { status, body } = await retry(one.key, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      attempt_number: 2,
      succeeded: false,
      status_code: 418,
      error: 'status',
      next_retry_at: due.toISOString(),
      dead_lettered: false,
    })
    clock.advance(50_000)
    await drain()
    for (const minutes of [5, 30, 120]) {
      clock.advance(minutes * 60_000)
      await drain()
    }
    const all = await attemptsOf(world(), one.tenant)
    expect(all.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5, 6])
    expect(all.filter(({ isManual }) => !isManual)).toHaveLength(5)
    expect(all[1]).toMatchObject({ isManual: true, nextRetryAt: due })
    expect(all.at(-1)).toMatchObject({ deadLettered: true })
  })

  it('tells that no answer came, and nothing of what the network said', async () => {
    const one = await subscriber()
    const silent = await newEndpoint(world(), one.tenant, 'https://127.0.0.1:1/closed')
    await newEvent(world(), one.tenant)
    await drain()
    const deliveries = await deliveriesOf(world(), one.tenant)
    const delivery = deliveries.find(({ endpointId }) => endpointId === silent.id)
    const { status, body, text } = await retry(one.key, delivery?.id ?? '')
    expect(status).toBe(200)
    expect(body).toMatchObject({ succeeded: false, status_code: null, error: 'connection' })
    expect(text).not.toMatch(/ECONN|127\.0/)
  })

  it('ends with the deadline of the interface when the receiver hangs', {
    tags: ['long'],
  }, async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    receiver().answer(() => undefined)
    const start = performance.now()
    const { body } = await retry(one.key, id)
    expect(body).toMatchObject({ succeeded: false, status_code: null, error: 'timeout' })
    expect(performance.now() - start).toBeGreaterThan(7900)
  })

  it('closes the delivery when it succeeds', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    answer(200)
    await retry(one.key, id)
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
    clock.advance(86_400_000)
    await drain()
    // What earlier tests have left waiting is sent too.
    const own = receiver().received.filter(({ path }) => path.endsWith(one.tenant.businessId))
    expect(own).toHaveLength(2)
  })

  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('is possible after dead-lettering, whether it fails or succeeds', async () => {
    const one = await subscriber()
    const id = await deadLettered(one)
    expect((await retry(one.key, id)).body).toMatchObject({
      attempt_number: 6,
      manual: true,
      next_retry_at: null,
      dead_lettered: true,
    })
    answer(200)
    expect((await retry(one.key, id)).body).toMatchObject({
      attempt_number: 7,
      error: null,
      dead_lettered: false,
    })
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
  })

  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('is possible before the first attempt, which then is not made', async () => {
    const one = await subscriber()
    await newEvent(world(), one.tenant)
    const [delivery] = await deliveriesOf(world(), one.tenant)
    expect((await retry(one.key, delivery?.id ?? '')).body).toMatchObject({ attempt_number: 1 })
    await drain()
    expect(receiver().received).toHaveLength(1)
  })

  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('is made after the attempt that is under way, not beside it', async () => {
    const one = await subscriber()
    let retried: ReturnType<typeof retry> | undefined
    let running = 0
    let most = 0
    receiver().answer(async ({ headers }, response) => {
      running += 1
      most = Math.max(most, running)
      const isFirst = retried === undefined
      retried ??= retry(one.key, String(headers['x-service-delivery-id']))
      // Long enough for the retry to look, and to look again.
      if (isFirst) await new Promise((resolve) => setTimeout(resolve, 300))
      running -= 1
      response.writeHead(isFirst ? 500 : 200).end()
    })
    await newEvent(world(), one.tenant)
    await drain()
    expect((await retried)?.body).toMatchObject({ attempt_number: 2, succeeded: true })
    expect(most).toBe(1)
    expect(await attemptsOf(world(), one.tenant)).toMatchObject([
      { attemptNumber: 1, isManual: false, error: 'status' },
      { attemptNumber: 2, isManual: true, error: null },
    ])
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([
      { state: 'delivered', isQueued: false },
    ])
  })

  it('is made also when the attempt under way ends at the last moment', async () => {
    const one = await subscriber()
    await newEvent(world(), one.tenant)
    await createClaimer(world().context, createBulkheads(clock))()
    const [delivery] = await deliveriesOf(world(), one.tenant)
    const { context } = world()
    // The first try lasts until there is no time left to wait, and the claim ends after it.
    let tries = 0
    const database: typeof context.database = {
      ...context.database,
      async transaction(work) {
        tries += 1
        if (tries === 1) await new Promise((resolve) => setTimeout(resolve, 1000))
        else clock.advance(25_000)
        return context.database.transaction(work)
      },
    }
    const { egress } = context
    const post: typeof egress.post = (url, message) => egress.post(url, message, 8000)
    const sending = { ...context, database, egress: { ...egress, post } }
    const actor = { kind: 'system', name: 'test', ...one.tenant } as const
    const impatient = { ...merchantWebhooks, timeoutMs: 1 }
    const retried = await retryDelivery(sending, actor, impatient, delivery?.id ?? '')
    expect(retried).toMatchObject({ succeeded: true, attemptNumber: 1, isManual: true })
  })

  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('is one attempt for each that asks, one after the other', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    const answers = await Promise.all([1, 2, 3, 4].map(() => retry(one.key, id)))
    const numbers = answers.map(({ body }) => body.attempt_number)
    expect(numbers.toSorted()).toEqual([2, 3, 4, 5])
    expect(receiver().received).toHaveLength(5)
    const log = await attemptsOf(world(), one.tenant)
    expect(log.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5])
  })

  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('is finished by a worker if its process has died, and is logged once', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 200)
    // The process ends after the claim, before anything is sent.
    const { context } = world()
    const dying = { ...context, failpoint: dieAt('webhook.retry-claimed') }
    const actor = { kind: 'system', name: 'test', ...one.tenant } as const
    await expect(retryDelivery(dying, actor, merchantWebhooks, id)).rejects.toThrow('died')
    await drain()
    expect(receiver().received).toHaveLength(1)
    clock.advance(30_000)
    await drain()
    expect(receiver().received).toHaveLength(2)
    expect(await attemptsOf(world(), one.tenant)).toMatchObject([
      { attemptNumber: 1, isManual: false },
      { attemptNumber: 2, isManual: true },
    ])
    expect(await deliveriesOf(world(), one.tenant)).toMatchObject([{ isQueued: false }])
  })

  it('is written into the audit log, with who asked', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 200)
    await retry(one.key, id)
    const acts = await world().database.sql`
      select actor_kind
      from kernel.audit_log
      where object_id = ${id}
        and action = 'webhook_delivery.retry'`
    expect(acts).toEqual([{ actorKind: 'key' }])
  })
})

describe('400', () => {
  it('is the answer to a delivery whose endpoint was removed', async () => {
    const one = await subscriber()
    const id = await sentOnce(one, 500)
    await call('DELETE', `/merchant/api/v1/webhooks/${one.id}`, { key: one.key })
    const { status, body } = await retry(one.key, id)
    expect(status).toBe(400)
    expect(body.error).toBe('The endpoint of this delivery was deleted.')
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
  // covers: POST /webhooks/deliveries/{id}/retry, webhooks:retry
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

describe('409', () => {
  // covers: 5. POST /webhooks/deliveries/{id}/retry forces an immediate retry
  it('is the answer while an attempt does not end, as when its process has died', {
    tags: ['long'],
  }, async () => {
    const one = await subscriber()
    await newEvent(world(), one.tenant)
    await createClaimer(world().context, createBulkheads(clock))()
    const [delivery] = await deliveriesOf(world(), one.tenant)
    const { status, body } = await retry(one.key, delivery?.id ?? '')
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'conflict',
      error:
        'Another attempt at this delivery is under way and ends within 25 seconds. Try again ' +
        'then.',
    })
    expect(receiver().received).toEqual([])
  })
})

function dieAt(wanted: string) {
  return (name: string) => {
    if (name === wanted) throw new Error('died')
  }
}
