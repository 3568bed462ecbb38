// The module that receivers install. The vectors were made with openssl, so that signing and
// verifying can't be wrong together.
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { booksWebhooks } from '../../src/books/webhooks/webhook-profile.ts'
import type { WebhookMessage } from '../../src/kernel/webhooks/profile.ts'
import { merchantWebhooks } from '../../src/merchant/webhooks/webhook-profile.ts'
import {
  signWebhook,
  type TestEvent,
  verifyWebhook,
  WebhookError,
} from '../../src/webhook-receiver/webhooks.ts'

const secret = 'whsec_4hH9sK2mQpXv7TzLr3NbWc8Yd1Jf6Gg5Aa0Ee'
const otherSecret = 'whsec_0aA1bB2cC3dD4eE5fF6gG7hH8iI9jJkKlLmM'
const now = new Date('2026-03-01T12:00:00.400Z')
const nowSeconds = Math.floor(now.getTime() / 1000)

const payment = {
  service: 'merchant',
  type: 'payout.failed',
  data: { id: '1', amount: 5, currency: 'NGN', status: 'failed', failure_reason: 'nö ✓' },
} as const
const ping = { service: 'books', type: 'test.ping', data: {} } as const
const each = [payment, ping] as const

describe.each(each)('a webhook of $service', (event) => {
  const signed = signWebhook(event, secret, { now })

  it('is taken as text and as bytes', () => {
    const bytes = Buffer.from(signed.body)
    const { buffer, byteOffset, byteLength } = bytes
    for (const body of [signed.body, bytes, new Uint8Array(bytes)]) {
      expect(verifyWebhook(body, signed.headers, secret, { now })).toMatchObject(event)
    }
    const copy = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
    expect(verifyWebhook(copy, signed.headers, secret, { now })).toMatchObject(event)
  })

  it('is taken as bytes of another realm, as in the tests of some receivers', () => {
    const list = JSON.stringify([...Buffer.from(signed.body)])
    for (const made of ['bytes', 'bytes.buffer']) {
      const body = runInNewContext(`const bytes = new Uint8Array(${list}); ${made}`)
      expect(verifyWebhook(body, signed.headers, secret, { now }).type).toBe(event.type)
    }
  })

  it('is taken with headers in every form', () => {
    const lower = Object.entries(signed.headers).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    )
    const forms = [
      new Headers(signed.headers),
      Object.fromEntries(lower),
      Object.fromEntries(lower.map(([name, value]) => [name, [value]])),
    ]
    for (const headers of forms) {
      expect(verifyWebhook(signed.body, headers, secret, { now }).type).toBe(event.type)
    }
  })

  it('is taken with any of several secrets', () => {
    const secrets = [otherSecret, secret]
    expect(verifyWebhook(signed.body, signed.headers, secrets, { now }).type).toBe(event.type)
  })

  it.each([
    ['old', [secret]],
    ['new', [otherSecret]],
    ['both', [secret, otherSecret]],
  ])('is accepted during a rotation with the %s', (_, known) => {
    const during = signWebhook(event, [otherSecret, secret], { now })
    expect(verifyWebhook(during.body, during.headers, known, { now }).type).toBe(event.type)
  })

  it.each([-300, -299, 0, 299, 300])('is taken %i seconds from its time', (seconds) => {
    const at = new Date((nowSeconds + seconds) * 1000)
    expect(verifyWebhook(signed.body, signed.headers, secret, { now: at }).type).toBe(event.type)
  })

  it.each([-86_400, -301, 301, 86_400])('is refused %i seconds from its time', (seconds) => {
    const at = new Date((nowSeconds + seconds) * 1000)
    const error = errorOf(() => verifyWebhook(signed.body, signed.headers, secret, { now: at }))
    expect(error).toMatchObject({ code: 'timestamp_outside_tolerance', status: 400 })
    expect(error.message).toContain(
      `${Math.abs(seconds)} seconds in the ${seconds > 0 ? 'past' : 'future'}`,
    )
  })

  it('is believed by the time of the machine when no other is given', () => {
    const fresh = signWebhook(event, secret)
    expect(verifyWebhook(fresh.body, fresh.headers, secret).type).toBe(event.type)
    expect(() => verifyWebhook(signed.body, signed.headers, secret)).toThrow(WebhookError)
  })

  it('is refused without its headers', () => {
    for (const name of Object.keys(signed.headers).filter((one) => /Signature|Time/.test(one))) {
      const { [name]: _, ...headers } = signed.headers
      const error = errorOf(() => verifyWebhook(signed.body, headers, secret, { now }))
      expect(error).toMatchObject({ code: 'headers_missing', status: 400 })
    }
  })

  it.each([
    ['an object', { type: 'x' }],
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
    ['a list of bytes', [123, 125]],
  ])('is refused when the body is %s', (_, body) => {
    const error = errorOf(() => verifyWebhook(body as never, signed.headers, secret, { now }))
    expect(error).toMatchObject({ code: 'body_parsed', status: 500 })
  })

  it('is refused after its JSON was parsed and written again with another space', () => {
    const written = JSON.stringify(JSON.parse(signed.body), null, 1)
    const error = errorOf(() => verifyWebhook(written, signed.headers, secret, { now }))
    expect(error).toMatchObject({ code: 'signature_mismatch', status: 400 })
  })

  it.each([
    ['undefined', undefined],
    ['empty', ''],
    ['no more than the prefix', 'whsec_'],
    ['an API key', 'svc_live_x'],
    ['an empty list', []],
    ['a list with an empty one', [secret, '']],
  ])('is not looked at when the secret is %s', (_, given) => {
    const error = errorOf(() => verifyWebhook(signed.body, signed.headers, given as never, { now }))
    expect(error).toMatchObject({ code: 'secret_invalid', status: 500 })
  })

  it.each([
    ['a line break at its end', `${secret}\n`],
    ['one of another system', `${secret}\r\n`],
    ['a space before it', ` ${secret}`],
    ['a space in it', secret.replace('K2', 'K 2')],
  ])('is not looked at when the secret has %s, and says so, but not the secret', (_, given) => {
    for (const known of [given, [otherSecret, given]]) {
      const error = errorOf(() => verifyWebhook(signed.body, signed.headers, known, { now }))
      expect(error).toMatchObject({ code: 'secret_invalid', status: 500 })
      expect(error.message).toContain('The secret contains a space or a line break')
      expect(error.message).not.toContain(secret.slice(6, 12))
    }
    // Nor is anything signed with it that a receiver would refuse.
    expect(errorOf(() => signWebhook(event, given, { now })).code).toBe('secret_invalid')
  })
})

it('agrees with what openssl makes of the documented rule', () => {
  const body = '{"type":"test.ping","created_at":"2026-03-01T12:00:00.000Z","data":{"a":"ü"}}'
  const made = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], {
    input: `${nowSeconds}.${body}`,
    encoding: 'utf8',
  })
  const hex = made.trim().split(' ').at(-1) ?? ''
  const headers = { 'x-service-timestamp': String(nowSeconds), 'x-service-signature': hex }
  expect(verifyWebhook(body, headers, secret, { now })).toMatchObject({ data: { a: 'ü' } })
})

describe.each([merchantWebhooks, booksWebhooks])(
  'the engine and the helper for $service',
  (profile) => {
    const message: WebhookMessage = {
      eventId: '0196f000-0000-7000-8000-000000000001',
      eventType: 'test.ping',
      eventCreatedAt: now,
      businessId: '0196f000-0000-7000-8000-000000000002',
      data: '{"id": "3", "example": true}',
      deliveryId: '0196f000-0000-7000-8000-000000000004',
      attemptNumber: 3,
      sentAtSeconds: nowSeconds,
      secret: otherSecret,
      oldSecret: secret,
    }

    it('send the same headers', () => {
      const event = { service: profile.service, type: 'test.ping', data: {} } as TestEvent
      const { oldSecret: _, ...settled } = message
      for (const [real, secrets] of [
        [profile.request(message), [otherSecret, secret]],
        [profile.request(settled), otherSecret],
      ] as const) {
        const made = signWebhook(event, secrets, { now })
        const names = (headers: object) => Object.keys(headers).map((name) => name.toLowerCase())
        expect(names(made.headers).sort()).toEqual(names(real.headers).sort())
        expect(Object.keys(JSON.parse(made.body))).toEqual(Object.keys(JSON.parse(real.body)))
      }
    })

    it.each([secret, otherSecret])('are both verified, during a rotation too (%#)', (known) => {
      const { body, headers } = profile.request(message)
      expect(verifyWebhook(body, headers, known, { now })).toMatchObject({
        service: profile.service,
        type: 'test.ping',
        created_at: now.toISOString(),
        data: { id: '3', example: true },
        delivery: { event_id: message.eventId, delivery_id: message.deliveryId, attempt: 3 },
      })
    })

    it('give an event one id, whatever unsigned headers say', () => {
      const first = profile.request(message)
      const again = profile.request({
        ...message,
        sentAtSeconds: nowSeconds + 60,
        attemptNumber: 4,
      })
      const ids = [first, again].map(
        ({ body, headers }) =>
          verifyWebhook(body, { ...headers, 'X-Service-Event-Id': 'other' }, secret, { now }).id,
      )
      expect(ids[0]).toBe(ids[1])
      const other = profile.request({ ...message, eventId: '5', data: '{"id": "4"}' })
      expect(verifyWebhook(other.body, other.headers, secret, { now }).id).not.toBe(ids[0])
    })
  },
)

describe('headers that cannot be read', () => {
  const { body, headers } = signWebhook(ping, secret, { now })
  const right = headers['X-Accounting-Signature'] ?? ''
  const v1 = right.split(',')[1] ?? ''
  const read = (value: string) => () =>
    verifyWebhook(body, { 'x-accounting-signature': value }, secret, { now })

  it.each([
    ['nothing', ''],
    ['no time', v1],
    ['no signature', `t=${nowSeconds}`],
    ['two times', `t=${nowSeconds},t=${nowSeconds},${v1}`],
    ['a time with a fraction', `t=${nowSeconds}.5,${v1}`],
    ['a time before all time', `t=-${nowSeconds},${v1}`],
    ['a time in hexadecimal', `t=0x65,${v1}`],
    ['a signature of another scheme', right.replace('v1=', 'v0=')],
    ['a short signature', right.slice(0, -2)],
    ['a signature of other letters', right.replace(/v1=.*/, `v1=${'z'.repeat(64)}`)],
  ])('are refused: %s', (_, value) => {
    expect(errorOf(read(value))).toMatchObject({ code: 'headers_malformed', status: 400 })
  })

  it('are refused when they are of both services', () => {
    const both = { ...headers, ...signWebhook(payment, secret, { now }).headers }
    expect(errorOf(() => verifyWebhook(body, both, secret, { now })).code).toBe('headers_malformed')
  })

  it('are refused when the new secret’s signature is of another time', () => {
    const during = signWebhook(ping, [otherSecret, secret], { now })
    const other = `t=${nowSeconds - 1},${v1}`
    const mixed = { ...during.headers, 'X-Accounting-Signature-New': other }
    expect(errorOf(() => verifyWebhook(during.body, mixed, secret, { now })).code).toBe(
      'headers_malformed',
    )
  })

  it('may hold schemes to come, spaces, and capitals', () => {
    expect(read(`t=${nowSeconds}, v0=abc, ${v1.toUpperCase().replace('V1', 'v1')}`)().type).toBe(
      'test.ping',
    )
  })
})

it.each([
  '[]',
  'null',
  '5',
  '{',
  '{"type":1,"created_at":"x","data":{}}',
  '{"type":"a"}',
  '"text"',
])('refuses signed bytes that are no event: %s', (body) => {
  expect(
    errorOf(() => verifyWebhook(body, signBytes(Buffer.from(body)), secret, { now })),
  ).toMatchObject({ code: 'body_invalid', status: 400 })
})

it('refuses signed bytes that are no UTF-8', () => {
  const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  expect(errorOf(() => verifyWebhook(body, signBytes(body), secret, { now })).code).toBe(
    'body_invalid',
  )
})

const anEvent = fc
  .record({
    service: fc.constantFrom('merchant' as const, 'books' as const),
    type: fc.string({ minLength: 1 }),
    data: fc.dictionary(fc.string(), fc.jsonValue()),
  })
  .map((event) => event as unknown as TestEvent)
const aSecret = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => !/\s/.test(text))
  .map((text) => `whsec_${text}`)

it('takes whatever was signed', () => {
  fc.assert(
    fc.property(anEvent, aSecret, (event, key) => {
      const { body, headers } = signWebhook(event, key, { now })
      const verified = verifyWebhook(body, headers, key, { now })
      expect(verified.data).toEqual(JSON.parse(JSON.stringify(event.data)))
      expect(verified.type).toBe(event.type)
    }),
  )
})

it('takes nothing of which a single bit is different', () => {
  const mutation = fc.record({
    part: fc.constantFrom('body', 'timestamp', 'signature', 'secret'),
    place: fc.nat(),
    bit: fc.integer({ min: 0, max: 7 }),
  })
  fc.assert(
    fc.property(anEvent, aSecret, mutation, (event, key, { part, place, bit }) => {
      const { body, headers } = signWebhook(event, key, { now })
      const isBooks = event.service === 'books'
      const flip = (text: string | Buffer) => {
        const bytes = Buffer.from(text)
        const index = place % bytes.length
        bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << bit), index)
        return bytes
      }
      const changed: Record<string, string> = { ...headers }
      const signatureName = isBooks ? 'X-Accounting-Signature' : 'X-Service-Signature'
      const time = String(nowSeconds)
      // Another digit, so that what is changed is still a time, and one that is fresh.
      const otherTime = String(nowSeconds + 1 + (place % 299))
      if (part === 'timestamp' && isBooks) {
        changed[signatureName] = (headers[signatureName] ?? '').replace(time, otherTime)
      } else if (part === 'timestamp') changed['X-Service-Timestamp'] = otherTime
      if (part === 'signature') {
        const hex = /[0-9a-f]{64}/.exec(headers[signatureName] ?? '')?.[0] ?? ''
        const other = flip(Buffer.from(hex, 'hex')).toString('hex')
        changed[signatureName] = (headers[signatureName] ?? '').replace(hex, other)
      }
      const otherKey = `whsec_${flip(key.slice(6)).toString('latin1')}`
      fc.pre(Buffer.from(otherKey).compare(Buffer.from(key)) !== 0 && !/\s/.test(otherKey))
      const error = errorOf(() =>
        verifyWebhook(
          part === 'body' ? flip(body) : body,
          changed,
          part === 'secret' ? otherKey : key,
          { now },
        ),
      )
      expect(error.code).toBe('signature_mismatch')
    }),
    { numRuns: 2000 },
  )
})

function signBytes(body: Buffer): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${nowSeconds}.`).update(body).digest('hex')
  return { 'x-service-timestamp': String(nowSeconds), 'x-service-signature': signature }
}

function errorOf(act: () => unknown): WebhookError {
  try {
    act()
  } catch (error) {
    if (error instanceof WebhookError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
