// The events of the merchant interface from end to end: real payments and payouts on one side, a
// receiver over HTTPS on the other. Schedules and addresses have their own tests.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { resolvePayoutsSchedule } from '../../src/merchant/payouts/resolve-payouts.ts'
import { merchantWebhooks } from '../../src/merchant/webhooks/webhook-profile.ts'
import { manualClock } from '../support/clock.ts'
import { expectEventAsDescribed, useContract } from '../support/openapi.ts'
import { comeBack, eventsOf, paidPayment, payment, type Shop, shop } from '../support/payments.ts'
import { payer } from '../support/payouts.ts'
import {
  egressTo,
  isGenuine,
  makeCertificate,
  type Receiver,
  startReceiver,
} from '../support/receiver.ts'
import { attemptsOf, newEndpoint, newEvent } from '../support/webhooks.ts'

const clock = manualClock()
const certificate = makeCertificate()
const { world, call } = useContract({ clock, egress: egressTo(certificate) })
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer((_, response) => response.writeHead(200).end())
})

const drain = () => world().deliveries?.drain()

// What the endpoint of a business was told, held against the headers and what is on record.
async function told({ tenant }: Pick<Shop, 'tenant'>, secret: string) {
  await drain()
  const bodies = receiver.received.map((one) => {
    expect(isGenuine(one, secret, clock.now())).toBe(true)
    const body = JSON.parse(one.raw.toString())
    expect(one.headers['x-service-event']).toBe(body.type)
    expect(Object.keys(body)).toEqual(['type', 'created_at', 'data'])
    expectEventAsDescribed('merchant', body)
    expect(new Date(body.created_at).toISOString()).toBe(body.created_at)
    return { type: body.type, data: body.data }
  })
  const recorded = (await eventsOf(world(), tenant)).map(({ type, data }) => ({ type, data }))
  const inOrder = (list: object[]) => list.map((one) => JSON.stringify(one)).toSorted()
  expect(inOrder(bodies)).toEqual(inOrder(recorded))
  return bodies.map(({ type }) => type).toSorted()
}

// covers: The service sends an HTTPS POST to
// covers: Header `X-Service-Event`: event type
// covers: Body: `{type: <event>
it('a payment tells every endpoint when it succeeds, fails and is refunded', async () => {
  const owner = await shop(world(), { environment: 'test' })
  const { secret } = await newEndpoint(world(), owner.tenant, receiver.url)
  const paid = await paidPayment(world(), owner)
  const declined = await payment(world(), owner)
  await world().simulator.pay(owner.tenant, declined.reference, 'insufficient_funds')
  await comeBack(world(), declined.reference)
  const refund = `/merchant/api/v1/payments/${paid.id}/refund`
  await call('POST', refund, { key: owner.key, body: { amount: 20_000 } })
  await call('POST', refund, { key: owner.key })
  expect(await told(owner, secret)).toEqual([
    'payment.failed',
    'payment.refunded',
    'payment.refunded',
    'payment.succeeded',
  ])
})

// covers: The service sends an HTTPS POST to
// covers: Header `X-Service-Signature`: hex HMAC-SHA256 of `<timestamp>.<raw body>`
it('a payout tells every endpoint when it is completed and when it fails', async () => {
  const one = await payer(world(), {}, call)
  const { secret } = await newEndpoint(world(), one.tenant, receiver.url)
  await one.payOut()
  await world().simulator.drain()
  clock.advance(60_000)
  await resolvePayoutsSchedule.run(world().context, new AbortController().signal)
  const refusal = { operation: 'POST /transfers', effect: 'refuse', status: 400, count: 1 }
  await world().simulator.rule(one.tenant, refusal)
  expect((await one.payOut()).status).toBe(502)
  expect(await told(one, secret)).toEqual(['payout.completed', 'payout.failed'])
})

// covers: Events are queued and delivered in the background
// covers: 6. Events may arrive more than once
it('what has happened is on record before anybody was told, and does not wait for it', async () => {
  const owner = await shop(world(), { environment: 'test' })
  await newEndpoint(world(), owner.tenant, receiver.url)
  receiver.answer((_, response) => response.writeHead(500).end())
  const { id, key } = await paidPayment(world(), owner)
  expect(receiver.received).toEqual([])
  const { body } = await call('GET', `/merchant/api/v1/payments/${id}`, { key })
  expect(body.status).toBe('succeeded')
  await drain()
  expect(receiver.received).toHaveLength(1)
})

describe('in the background', () => {
  const working = useContract({ clock, egress: egressTo(certificate), worker: true })

  // covers: Events are queued and delivered in the background
  // covers: Due retries are picked up every minute
  it('an event is sent, and sent again when that is due, without anybody asking', async () => {
    const owner = await shop(working.world(), { environment: 'test' })
    await newEndpoint(working.world(), owner.tenant, receiver.url)
    receiver.answer((_, response) => response.writeHead(500).end())
    await paidPayment(working.world(), owner)
    const logged = (count: number) =>
      vi.waitFor(
        async () => expect(await attemptsOf(working.world(), owner.tenant)).toHaveLength(count),
        { timeout: 240_000 },
      )
    await logged(1)
    clock.advance(60_000)
    await logged(2)
  })
})

describe('a receiver that does not answer', () => {
  // covers: A non-2xx status, timeout
  // covers: The service waits 8 seconds for a response
  // covers: Webhook response wait: 8 seconds
  it('is waited for eight seconds, and then the attempt has failed', {
    tags: ['long'],
  }, async () => {
    const owner = await shop(world())
    await newEndpoint(world(), owner.tenant, receiver.url)
    receiver.answer(() => undefined)
    await newEvent(world(), owner.tenant)
    const began = performance.now()
    await drain()
    expect(performance.now() - began).toBeGreaterThan(7_900)
    expect(await attemptsOf(world(), owner.tenant)).toMatchObject([
      { statusCode: null, error: 'timeout', nextRetryAt: expect.any(Date) },
    ])
    expect(merchantWebhooks.timeoutMs).toBe(8_000)
  })
})
