// The limits of the interface over HTTP, made small: 5 a minute for a key, 8 for an address.
import { beforeEach, describe, expect, it } from 'vitest'
import { parseRange } from '../../src/kernel/basics/address.ts'
import { manualClock } from '../support/clock.ts'
import { useContract } from '../support/openapi.ts'

const clock = manualClock()
const limits = { rateLimitPerKey: 5, rateLimitPerAddress: 8 }
const { world, call } = useContract({ clock, settings: limits })

const account = '/merchant/api/v1/account'
const reference = '/merchant/api/v1/reference'

// Nothing that an earlier test did counts any more.
beforeEach(() => clock.advance(61_000))

const newKey = async () => (await world().key({ service: 'merchant' })).text
const statuses = async (count: number, path: string, key?: string) => {
  const all: number[] = []
  for (let index = 0; index < count; index += 1) {
    all.push((await call('GET', path, key === undefined ? {} : { key })).status)
  }
  return all
}

describe('the limit per key', () => {
  // covers: `request_id` is also sent as `X-Request-Id`
  // covers: 429 rate_limited: too many requests; carries Retry-After
  it('lets in as many as it says, and refuses the next one with the documented body', async () => {
    const key = await newKey()
    expect(await statuses(5, account, key)).toEqual([200, 200, 200, 200, 200])
    const { status, headers, body } = await call('GET', account, { key })
    expect(status).toBe(429)
    expect(body).toEqual({
      error: 'Too many requests. Wait for the seconds in Retry-After.',
      code: 'rate_limited',
      request_id: headers.get('x-request-id'),
    })
    expect(headers.get('retry-after')).toBe('60')
  })

  // covers: Rate window: sliding
  it('says exactly when the next one will be let in', async () => {
    const key = await newKey()
    await statuses(1, account, key)
    clock.advance(10_000)
    await statuses(4, account, key)
    clock.advance(20_500)
    // The first was counted 30.5 s ago, so its place is free in 29.5 s.
    const refused = await call('GET', account, { key })
    expect(refused.headers.get('retry-after')).toBe('30')
    clock.advance(29_499)
    const last = await call('GET', account, { key })
    expect(last.status).toBe(429)
    expect(last.headers.get('retry-after')).toBe('1')
    clock.advance(1)
    expect(await statuses(2, account, key)).toEqual([200, 429])
  })

  it('does not count what it refused', async () => {
    const key = await newKey()
    await statuses(5, account, key)
    clock.advance(30_000)
    expect(await statuses(3, account, key)).toEqual([429, 429, 429])
    clock.advance(30_000)
    expect(await statuses(5, account, key)).toEqual([200, 200, 200, 200, 200])
  })

  // covers: Requests per API key: 180 per minute
  it('counts over all routes of the service together, refused ones included', async () => {
    const businessId = await world().business()
    const { text: key } = await world().key({ service: 'books', businessId, scopes: ['read'] })
    expect(await statuses(2, '/books/api/v1/accounts', key)).toEqual([200, 200])
    expect(await statuses(2, '/books/api/v1/contacts?type=nothing', key)).toEqual([400, 400])
    expect((await call('POST', '/books/api/v1/contacts', { key, body: {} })).status).toBe(403)
    expect(await statuses(1, '/books/api/v1/accounts', key)).toEqual([429])
  })

  // covers: Requests per API key: 180 per minute
  it('is each key’s own, also within one business', async () => {
    const businessId = await world().business()
    const one = (await world().key({ service: 'merchant', businessId })).text
    const two = (await world().key({ service: 'merchant', businessId })).text
    expect(await statuses(5, account, one)).toEqual([200, 200, 200, 200, 200])
    expect(await statuses(3, account, two)).toEqual([200, 200, 200])
  })

  it('is not used up by someone who does not have the key', async () => {
    const key = await newKey()
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    expect(await statuses(4, account, wrong)).toEqual([401, 401, 401, 401])
    clock.advance(60_000)
    expect(await statuses(5, account, key)).toEqual([200, 200, 200, 200, 200])
  })

  // covers: Requests per API key: 180 per minute
  it('lets exactly as many in when all come at once', async () => {
    const key = await newKey()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('GET', account, { key })),
    )
    const counted = answers.map(({ status }) => status).sort()
    expect(counted).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  })
})

describe('the limit per address', () => {
  it('counts the open route too', async () => {
    expect(await statuses(9, reference)).toEqual([...Array(8).fill(200), 429])
  })

  // covers: 429 rate_limited: too many requests; carries Retry-After
  // covers: Requests per IP address: 600 per minute
  it('counts calls without a key, and unknown paths', async () => {
    expect(await statuses(3, account)).toEqual([401, 401, 401])
    expect(await statuses(3, '/merchant/api/v1/nothing')).toEqual([404, 404, 404])
    expect(await statuses(2, reference)).toEqual([200, 200])
    const { status, headers } = await call('GET', account)
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('60')
  })

  it('counts each API by itself', async () => {
    await statuses(8, reference)
    expect(await statuses(9, '/books/api/v1/accounts')).toEqual([...Array(8).fill(401), 429])
  })

  it('comes before the key: its own key does not help', async () => {
    await statuses(8, reference)
    const { status } = await call('GET', account, { key: await newKey() })
    expect(status).toBe(429)
  })

  // covers: Rate window: sliding
  it('says exactly when the next one will be let in', async () => {
    await statuses(1, reference)
    clock.advance(1)
    await statuses(7, reference)
    clock.advance(58_999)
    const refused = await call('GET', reference)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    clock.advance(1000)
    expect(await statuses(2, reference)).toEqual([200, 429])
  })

  it('does not count what the operators’ probes ask', async () => {
    for (let index = 0; index < 20; index += 1) {
      expect((await world().call('GET', '/healthz')).status).toBe(200)
    }
    expect(await statuses(8, reference)).toEqual(Array(8).fill(200))
    expect((await world().call('GET', '/readyz')).status).toBe(200)
  })

  it('does not believe X-Forwarded-For', async () => {
    for (let index = 0; index < 8; index += 1) {
      await call('GET', reference, { headers: { 'x-forwarded-for': `192.0.2.${index}` } })
    }
    const headers = { 'x-forwarded-for': '192.0.2.100' }
    expect((await call('GET', reference, { headers })).status).toBe(429)
  })
})

describe('the headers of a limit', () => {
  const shown = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))

  it('count down what the key has left, and say when the oldest request no longer counts', async () => {
    const key = await newKey()
    expect(shown(await call('GET', account, { key }))).toEqual(['5', '4', '60'])
    clock.advance(20_000)
    expect(shown(await call('GET', account, { key }))).toEqual(['5', '3', '40'])
    await statuses(3, account, key)
    const refused = await call('GET', account, { key })
    expect(shown(refused)).toEqual(['5', '0', '40'])
    expect(refused.headers.get('retry-after')).toBe('40')
  })

  it('show the address where it has less left than the key, or there is no key', async () => {
    expect(shown(await call('GET', reference))).toEqual(['8', '7', '60'])
    await statuses(5, reference)
    const key = await newKey()
    expect(shown(await call('GET', account, { key }))).toEqual(['8', '1', '60'])
  })
})

describe('behind a trusted proxy', () => {
  const loopback = parseRange('127.0.0.0/8')
  if (!loopback) throw new Error('no range')
  const { world: behind, call: through } = useContract({
    clock,
    settings: { ...limits, trustProxy: { kind: 'ranges', ranges: [loopback] } },
  })
  const from = (address: string) =>
    through('GET', reference, { headers: { 'x-forwarded-for': address } })

  // covers: Requests per IP address: 600 per minute
  it('counts the client that the proxy names', async () => {
    for (let index = 0; index < 8; index += 1) await from('192.0.2.1')
    expect((await from('192.0.2.1')).status).toBe(429)
    expect((await from('192.0.2.2')).status).toBe(200)
  })

  it('does not count what the client itself put in front', async () => {
    for (let index = 0; index < 8; index += 1) await from(`203.0.113.${index}, 192.0.2.1`)
    expect((await from('203.0.113.100, 192.0.2.1')).status).toBe(429)
  })

  it('counts a whole /64 of IPv6 as one', async () => {
    for (let index = 0; index < 8; index += 1) await from(`2001:db8:0:1::${index + 1}`)
    expect((await from('2001:db8:0:1:ffff::1')).status).toBe(429)
    expect((await from('2001:db8:0:2::1')).status).toBe(200)
  })

  it('holds the address list of a key against the client, not the proxy', async () => {
    const { text: key } = await behind().key({
      service: 'merchant',
      allowedAddresses: ['192.0.2.0/24'],
    })
    const status = async (headers: Record<string, string>) =>
      (await through('GET', account, { key, headers })).status
    expect(await status({ 'x-forwarded-for': '192.0.2.9' })).toBe(200)
    expect(await status({ 'x-forwarded-for': '203.0.113.1' })).toBe(401)
    expect(await status({ 'x-forwarded-for': '192.0.2.9, 203.0.113.1' })).toBe(401)
    expect(await status({})).toBe(401)
  })
})
