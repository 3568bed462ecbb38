// The request limits of hosted pages. Each caller below has its own address, named by the proxy in
// front.
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { newCode, newLink, shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

// Six views a minute from one address, two of each costly page, and ten times that per object.
const clock = manualClock()
const world = useWorld({
  clock,
  settings: { rateLimitPerAddress: 6, trustProxy: { kind: 'hops', hops: 1 } },
})

let addresses = 0
const newAddress = () => {
  addresses += 1
  return `198.51.100.${addresses}`
}

const get = (path: string, address: string) =>
  world().call('GET', path, {
    headers: { 'x-forwarded-for': address, accept: 'text/html' },
  })

const press = (path: string, address: string) =>
  world().call('POST', path, {
    rawBody: 'email=payer%40example.com',
    headers: {
      'x-forwarded-for': address,
      'content-type': 'application/x-www-form-urlencoded',
      origin: world().context.publicUrl,
    },
  })

const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
  const seen: number[] = []
  for (let at = 0; at < count; at += 1) seen.push((await ask()).status)
  return seen
}

describe('hosted pages', () => {
  it('are limited per address, each costly page by itself', async () => {
    const owner = await shop(world())
    const link = await newLink(world(), owner)
    const code = await newCode(world(), owner)
    const one = newAddress()
    expect(await statuses(3, () => get(`${code}.png`, one))).toEqual([200, 200, 429])
    expect(await statuses(3, () => press(link, one))).toEqual([303, 303, 429])
    expect(await statuses(7, () => get(link, one))).toEqual([...Array(6).fill(200), 429])
    // Other objects don't help, other addresses do.
    const refused = await get(code, one)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.text).toContain('Too many requests')
    expect((await get(code, newAddress())).status).toBe(200)
    clock.advance(60_000)
    expect((await get(link, one)).status).toBe(200)
    expect((await get(`${code}.png`, one)).status).toBe(200)
    clock.advance(60_000)
  })

  it('are limited per object, whatever the addresses', async () => {
    const owner = await shop(world())
    const [busy, other] = [await newCode(world(), owner), await newCode(world(), owner)]
    const images = await statuses(21, () => get(`${busy}.svg`, newAddress()))
    expect(images).toEqual([...Array(20).fill(200), 429])
    expect((await get(`${other}.svg`, newAddress())).status).toBe(200)
    expect((await get(busy, newAddress())).status).toBe(200)
  })
})
