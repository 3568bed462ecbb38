// What is kept of the responses of receivers, who sees it, and for how long.
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Role } from '../../../src/kernel/auth/actor.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { readResponse } from '../../../src/kernel/webhooks/egress-response.ts'
import { expireResponsesSchedule } from '../../../src/kernel/webhooks/expire-responses.ts'
import { signatureOf } from '../../../src/kernel/webhooks/profile.ts'
import { merchantEndpoints } from '../../../src/merchant/webhooks/webhook-operations.ts'
import { manualClock } from '../../support/clock.ts'
import { useContract } from '../../support/openapi.ts'
import {
  makeCertificate,
  publicEgressTo,
  type Receiver,
  startReceiver,
} from '../../support/receiver.ts'
import { newEndpoint, newEvent } from '../../support/webhooks.ts'

const certificate = makeCertificate()
const clock = manualClock()
const { world, call } = useContract({ clock, egress: publicEgressTo(certificate) })
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
beforeEach(() => {
  receiver.answer((_, response) => response.writeHead(500).end('<b>Out of\u0000 stock</b>'))
})
afterAll(() => receiver.close())

async function delivered() {
  const { text: key, businessId } = await world().key({ service: 'merchant' })
  const tenant = { businessId, environment: 'live' } as const
  const endpoint = await newEndpoint(world(), tenant, receiver.url)
  await newEvent(world(), tenant)
  await world().deliveries?.drain()
  const log = async (with_ = key) =>
    (await call('GET', `/merchant/api/v1/webhooks/${endpoint.id}/deliveries`, { key: with_ })).body
      .data
  return { tenant, key, endpoint, log }
}

describe('the log', () => {
  it('shows what was sent and the start of the response to a key that manages endpoints', async () => {
    const { endpoint, log } = await delivered()
    const [{ request, response }] = await log()
    const sent = receiver.received.at(-1)
    expect(request.body).toBe(String(sent?.raw))
    const seconds = Math.floor(clock.now().getTime() / 1000)
    expect(request.headers).toMatchObject({
      'X-Service-Event': 'payment.test',
      'X-Service-Signature': signatureOf(endpoint.secret, seconds, request.body),
    })
    for (const [name, value] of Object.entries(request.headers)) {
      expect([name, sent?.headers[name.toLowerCase()]]).toEqual([name, value])
    }
    expect(JSON.stringify(request)).not.toContain(endpoint.secret)
    expect(response).toEqual({ body: '<b>Out of\ufffd stock</b>' })
  })

  it('shows neither to a key that only reads the log', async () => {
    const { tenant, log } = await delivered()
    const scopes = ['webhooks:read_logs']
    const { text } = await world().key({ service: 'merchant', ...tenant, scopes })
    const [attempt] = await log(text)
    expect(attempt).toMatchObject({ status_code: 500, duration_ms: expect.any(Number) })
    expect(attempt).not.toHaveProperty('request')
    expect(attempt).not.toHaveProperty('response')
  })

  it('shows no signature that was made with an earlier secret', async () => {
    const { tenant, endpoint, log } = await delivered()
    clock.advance(1000)
    const actor = { kind: 'system', name: 'test', ...tenant } as const
    const rotation = { id: endpoint.id, overlapHours: 0 }
    await runOperation(merchantEndpoints.rotateSecret, world().context, actor, rotation)
    const [{ request }] = await log()
    expect(request.headers['X-Service-Signature']).toBe('(made with an earlier secret)')
  })

  it('keeps a response for thirty days', async () => {
    const { log } = await delivered()
    const { signal } = new AbortController()
    clock.advance(30 * 86_400_000)
    await expireResponsesSchedule.run(world().context, signal)
    expect((await log())[0].response.body).not.toBeNull()
    clock.advance(1)
    await expireResponsesSchedule.run(world().context, signal)
    expect((await log())[0]).toMatchObject({ status_code: 500, response: { body: null } })
  })
})

it.each([
  ['owner', true],
  ['admin', true],
  ['approver', false],
  ['member', false],
  ['viewer', false],
] as const)('of a delivery, for the role %s: %s', async (role: Role, isShown) => {
  const { tenant, log } = await delivered()
  const [{ id }] = await log()
  const person = { kind: 'person', personId: world().context.ids.uuid(), role, ...tenant } as const
  const delivery = await runOperation(merchantEndpoints.getDelivery, world().context, person, {
    id,
  })
  expect(delivery.attempts.map(({ exchange }) => exchange !== null)).toEqual([isShown])
})

describe('a response', () => {
  it.each([
    ['plain text', Buffer.from('ok'), 'ok'],
    ['several lines', Buffer.from('a\r\nb\tc\n'), 'a\nb\tc\n'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['control characters', Buffer.from('a\u001b[31m\u0000\r'), 'a\ufffd[31m\ufffd\ufffd'],
    ['marks that turn the direction', Buffer.from('a\u202eb'), 'a\ufffdb'],
    ['more than 2 kB', Buffer.from('x'.repeat(3000)), 'x'.repeat(2048)],
    ['a character that the limit cuts', Buffer.from(`${'x'.repeat(2047)}é`), 'x'.repeat(2047)],
  ])('of %s is kept as text', async (_, bytes, text) => {
    expect(await readResponse(Readable.from([bytes])).start).toBe(text)
  })

  it('that never ends is waited for only a moment', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const body = new Readable({ read() {} })
      const { start } = readResponse(body)
      body.push('part')
      await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(250)
      expect(await start).toBe('part')
      body.destroy()
    } finally {
      vi.useRealTimers()
    }
  })

  it('that is too long is read no further', async () => {
    let made = 0
    const body = new Readable({
      read() {
        made += 1
        this.push(Buffer.alloc(1024, 'x'))
      },
    })
    const { start, ended } = readResponse(body)
    expect(await start).toBe('x'.repeat(2048))
    await ended
    expect(made).toBeLessThan(64)
  })
})
