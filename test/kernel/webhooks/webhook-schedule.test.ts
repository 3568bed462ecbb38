// The schedule of attempts, with a clock that tests control, and a real receiver.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addMilliseconds } from '../../../src/kernel/basics/clock.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import {
  egressTo,
  isGenuine,
  makeCertificate,
  type Received,
  type Receiver,
  startReceiver,
} from '../../support/receiver.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'
import { useWorld } from '../../support/world.ts'

const certificate = makeCertificate()
const clock = manualClock()
const world = useWorld({ clock, egress: egressTo(certificate) })
let receiver: Receiver
let tenant: Tenant

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
afterAll(async () => {
  await expectInvariants(world().database)
  await receiver.close()
})
beforeEach(async () => {
  receiver.received.length = 0
  receiver.answer((_, response) => response.writeHead(200).end())
  tenant = { businessId: await world().business(), environment: 'live' }
})

const drain = () => world().deliveries?.drain()
const refuse = (statusCode: number) =>
  receiver.answer((_, response) => response.writeHead(statusCode).end('no'))
const minutes = (count: number) => count * 60_000

describe('a merchant’s delivery', () => {
  // covers: Header `X-Service-Event`: event type
  // covers: Header `X-Service-Timestamp`: unix seconds at send time
  // covers: Header `X-Service-Signature`: hex HMAC-SHA256 of `<timestamp>.<raw body>`
  // covers: Body: `{type: <event>
  it('is sent once, signed over its raw bytes, with the documented headers and body', async () => {
    const { secret } = await newEndpoint(world(), tenant, `${receiver.url}?a=1`)
    const id = await newEvent(world(), tenant, {
      type: 'payment.test',
      data: { id: 'x', amount: 9_007_199_254_740_993n },
    })
    await drain()
    await drain()
    expect(receiver.received).toHaveLength(1)
    const [received] = receiver.received as [Received]
    expect(received.path).toBe('/hook?a=1')
    expect(isGenuine(received, secret, clock.now())).toBe(true)
    expect(isGenuine(received, `${secret}x`, clock.now())).toBe(false)
    const [delivery] = await deliveriesOf(world(), tenant)
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'payment.test',
      'x-service-timestamp': String(clock.now().getTime() / 1000),
      'x-service-event-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-service-delivery-id': delivery?.id,
      'x-service-attempt': '1',
    })
    const text = received.raw.toString()
    expect(text).toContain('9007199254740993')
    const body = JSON.parse(text)
    expect(Object.keys(body)).toEqual(['type', 'created_at', 'data'])
    expect(body.created_at).toBe(clock.now().toISOString())
    expect(delivery).toMatchObject({ state: 'delivered', isQueued: false })
    expect(id).toBeDefined()
  })

  it('is dated with the second in which it is sent, however far that has gone', async () => {
    const { secret } = await newEndpoint(world(), tenant, receiver.url)
    const second = Math.ceil(clock.now().getTime() / 1000)
    clock.set(new Date(second * 1000 + 999))
    await newEvent(world(), tenant)
    await drain()
    const [received] = receiver.received as [Received]
    expect(received.headers['x-service-timestamp']).toBe(String(second))
    expect(isGenuine(received, secret, clock.now())).toBe(true)
    clock.advance(1)
  })

  // covers: 2. Every attempt is logged (attempt_number
  // covers: 3. A failed delivery is retried automatically up to four more times
  // covers: 4. After the fifth attempt the delivery
  // covers: Webhook attempts: 5 in all
  it('is tried again after 1, 5, 30 and 120 minutes and dead-lettered after the fifth', async () => {
    await newEndpoint(world(), tenant, receiver.url)
    refuse(500)
    await newEvent(world(), tenant)
    const start = clock.now()
    await drain()
    const waits = [1, 5, 30, 120].map(minutes)
    const expected = [start]
    for (const wait of waits) {
      clock.advance(wait - 1)
      await drain()
      expect(receiver.received).toHaveLength(expected.length)
      clock.advance(1)
      await drain()
      expected.push(clock.now())
    }
    clock.advance(minutes(10_000))
    await drain()
    const log = await attemptsOf(world(), tenant)
    expect(log.map(({ attemptedAt }) => attemptedAt)).toEqual(expected)
    expect(log.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5])
    expect(log.map(({ nextRetryAt }) => nextRetryAt)).toEqual([...expected.slice(1), null])
    expect(log.map(({ deadLettered }) => deadLettered)).toEqual([false, false, false, false, true])
    expect(log.every(({ statusCode, error }) => statusCode === 500 && error === 'status')).toBe(
      true,
    )
    const attempts = receiver.received.map(({ headers }) => headers['x-service-attempt'])
    expect(attempts).toEqual(['1', '2', '3', '4', '5'])
    const bodies = new Set(receiver.received.map(({ raw }) => raw.toString()))
    expect(bodies.size).toBe(1)
    expect(await deliveriesOf(world(), tenant)).toMatchObject([
      { state: 'dead_lettered', isQueued: false },
    ])
  })

  // covers: 1. A delivery succeeds on any 2xx response
  it('is done after the first answer of 2xx, whichever attempt has it', async () => {
    await newEndpoint(world(), tenant, receiver.url)
    refuse(503)
    await newEvent(world(), tenant)
    await drain()
    clock.advance(minutes(1))
    receiver.answer((_, response) => response.writeHead(299).end())
    await drain()
    clock.advance(minutes(1000))
    await drain()
    const log = await attemptsOf(world(), tenant)
    expect(log.map(({ statusCode }) => statusCode)).toEqual([503, 299])
    expect(log.at(-1)).toMatchObject({ error: null, nextRetryAt: null, deadLettered: false })
  })

  it.each([
    [199 + 101, 'redirect'],
    // covers: must not answer with a redirect (a redirect counts as a failure)
    // covers: A non-2xx status, timeout
    [308, 'redirect'],
    // covers: A non-2xx status, timeout
    [404, 'status'],
    // covers: A non-2xx status, timeout
    [600, 'status'],
  ])('has failed when the answer is %i', async (statusCode, error) => {
    await newEndpoint(world(), tenant, receiver.url)
    receiver.answer((_, response) => {
      response.writeHead(statusCode, { location: `${receiver.url}/elsewhere` }).end()
    })
    await newEvent(world(), tenant)
    await drain()
    expect(receiver.received).toHaveLength(1)
    expect(await attemptsOf(world(), tenant)).toMatchObject([{ statusCode, error }])
  })

  // covers: The service sends an HTTPS POST to
  it('goes to every endpoint that is on, of its tenant and service, and to no other', async () => {
    const first = await newEndpoint(world(), tenant, receiver.url)
    const second = await newEndpoint(world(), tenant, receiver.url)
    await newEndpoint(world(), { ...tenant, environment: 'test' }, receiver.url)
    await newEndpoint(world(), tenant, receiver.url, 'books')
    const businessId = await world().business()
    await newEndpoint(world(), { ...tenant, businessId }, receiver.url)
    await newEvent(world(), tenant)
    const deliveries = await deliveriesOf(world(), tenant)
    expect(deliveries.map(({ endpointId }) => endpointId).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    )
    await drain()
    expect(receiver.received).toHaveLength(2)
  })

  it('keeps the connection for those that follow', async () => {
    await newEndpoint(world(), tenant, receiver.url)
    await newEvent(world(), tenant)
    await drain()
    const before = receiver.connections()
    for (let count = 0; count < 3; count += 1) {
      await newEvent(world(), tenant)
      await drain()
    }
    expect(receiver.connections()).toBe(before)
  })
})

describe('a delivery of the books', () => {
  it('is tried eight times, with growing gaps, and carries the documented signature', async () => {
    const { secret } = await newEndpoint(world(), tenant, `${receiver.url}/eight`, 'books')
    const received = () => receiver.received.filter(({ path }) => path === '/hook/eight')
    refuse(500)
    await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
    const gapsSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 72_000]
    await drain()
    for (const gap of gapsSeconds) {
      clock.advance(gap * 1000 - 1)
      await drain()
      clock.advance(gap * 100 + 1)
      await drain()
    }
    const log = await attemptsOf(world(), tenant)
    expect(log.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    log.slice(0, -1).forEach(({ attemptedAt, nextRetryAt }, index) => {
      const gap = ((nextRetryAt?.getTime() ?? 0) - attemptedAt.getTime()) / 1000
      expect(gap).toBeGreaterThanOrEqual(gapsSeconds[index] ?? 0)
      expect(gap).toBeLessThanOrEqual((gapsSeconds[index] ?? 0) * 1.1)
    })
    expect(log.map(({ deadLettered }) => deadLettered).indexOf(true)).toBe(7)
    expect(await deliveriesOf(world(), tenant)).toMatchObject([
      { state: 'dead_lettered', isQueued: false },
    ])
    clock.advance(minutes(10_000))
    await drain()
    const attempts = received().map(({ headers }) => headers['x-accounting-attempt'])
    expect(attempts).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
    const last = received().at(-1) as Received
    const sent = String(last.headers['x-accounting-signature'])
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(sent) ?? []
    expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${last.raw}`).digest('hex'))
    expect(last.headers['user-agent']).toBe('Accounting-Webhooks/1')
    const body = JSON.parse(last.raw.toString())
    expect(body).toMatchObject({ type: 'contact.test', org_id: tenant.businessId })
    const [delivery] = await deliveriesOf(world(), tenant)
    expect(last.headers['x-accounting-delivery']).toBe(delivery?.id)
    expect(last.headers['x-accounting-event-id']).toBe(body.id)
  })

  it('reaches only those who chose its type', async () => {
    await newEndpoint(world(), tenant, receiver.url, 'books', ['invoice.test'])
    await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
    expect(await deliveriesOf(world(), tenant)).toEqual([])
    await newEvent(world(), tenant, { service: 'books', type: 'invoice.test' })
    expect(await deliveriesOf(world(), tenant)).toHaveLength(1)
  })

  it('switches its endpoint off with the twentieth failure in a row, and not before', async () => {
    const { id } = await newEndpoint(world(), tenant, `${receiver.url}/off`, 'books')
    const sent = () => receiver.received.filter(({ path }) => path === '/hook/off').length
    const state = async () => {
      const [row] = await world().database.sql<{ state: string }[]>`
        select state
        from kernel.webhook_endpoints
        where id = ${id}`
      return row?.state
    }
    const fail = async (times: number) => {
      refuse(500)
      for (let count = 0; count < times; count += 1) {
        await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
        await drain()
      }
    }
    await fail(19)
    receiver.answer((_, response) => response.writeHead(200).end())
    await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
    await drain()
    await fail(19)
    expect(await state()).toBe('on')
    await fail(1)
    expect(await state()).toBe('off')
    expect(sent()).toBe(40)
    clock.set(addMilliseconds(clock.now(), minutes(5000)))
    await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
    await drain()
    expect(sent()).toBe(40)
    const states = (await deliveriesOf(world(), tenant)).map((delivery) => delivery.state)
    expect(states.filter((one) => one === 'held')).toHaveLength(39)
  })
})
