// Rotating the secret of an endpoint: both sign for a while, then only the new one.
import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { resealSecrets } from '../../../src/app/reseal-secrets.ts'
import { booksEndpoints } from '../../../src/books/webhooks/webhook-operations.ts'
import type { Actor } from '../../../src/kernel/auth/actor.ts'
import { createSecrets } from '../../../src/kernel/auth/secrets.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { EndpointOperations } from '../../../src/kernel/endpoints/endpoint-operations.ts'
import { finishEndpointsSchedule } from '../../../src/kernel/endpoints/finish-endpoints.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { merchantEndpoints } from '../../../src/merchant/webhooks/webhook-operations.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { isGenuine, type Received } from '../../support/receiver.ts'
import { handOut } from '../../support/run-log.ts'
import { useWebhookWorld } from '../../support/webhook-world.ts'
import { newEndpoint, newEvent, type TestEndpoint } from '../../support/webhooks.ts'

const { world, clock, drain, receiver } = useWebhookWorld()
let tenant: Tenant
beforeEach(async () => {
  tenant = { businessId: await world().business(), environment: 'live' }
})
afterAll(() => expectInvariants(world().database))

const actor = () => ({ kind: 'system', name: 'test', ...tenant }) as const
const hour = 3_600_000

async function rotate(
  { rotateSecret }: EndpointOperations,
  { id }: TestEndpoint,
  overlapHours?: number,
  by: Actor = actor(),
) {
  const rotated = await runOperation(rotateSecret, world().context, by, { id, overlapHours })
  handOut(rotated.secret)
  return rotated
}

const promote = ({ id }: TestEndpoint) =>
  runOperation(merchantEndpoints.promoteSecret, world().context, actor(), { id })

async function received(service: 'merchant' | 'books'): Promise<Received> {
  receiver().received.length = 0
  const type = service === 'books' ? 'contact.test' : 'payment.test'
  await newEvent(world(), tenant, { service, type })
  await drain()
  const [one] = receiver().received
  if (!one || receiver().received.length !== 1) throw new Error('one was expected')
  return one
}

async function stored({ id }: TestEndpoint) {
  const [row] = await world().database.sql<{ old: Buffer | null; until: Date | null }[]>`
    select old_secret_sealed as old, old_secret_until as until
    from kernel.webhook_endpoints
    where id = ${id}`
  return row
}

const tend = () => finishEndpointsSchedule.run(world().context, new AbortController().signal)

// From the description of the interface, by code that shares nothing with what signs.
// Answers the place of the header that the secret has signed.
function signedBy({ headers, raw }: Received): (secret: string) => number {
  const names = ['x-accounting-signature', 'x-accounting-signature-new']
  const sent = names.map((name) => /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers[name])))
  return (secret) =>
    sent.findIndex((one) => {
      const signature = createHmac('sha256', secret).update(`${one?.[1]}.${raw}`).digest('hex')
      return one?.[2] === signature
    })
}

describe('while the overlap of a rotation lasts', () => {
  // covers: Header `X-Service-Signature`: hex HMAC-SHA256 of `<timestamp>.<raw body>`
  it('a merchant’s documented signature is the old one, and the new one stands beside it', async () => {
    const endpoint = await newEndpoint(world(), tenant, receiver().url)
    const { secret, oldSecretUntil } = await rotate(merchantEndpoints, endpoint)
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/)
    expect(secret).not.toBe(endpoint.secret)
    expect(oldSecretUntil).toEqual(new Date(clock.now().getTime() + 24 * hour))
    const one = await received('merchant')
    expect(isGenuine(one, endpoint.secret, clock.now())).toBe(true)
    expect(isGenuine(one, secret, clock.now())).toBe(false)
    const signature = one.headers['x-service-signature-new']
    expect(isGenuine(withSignature(one, signature), secret, clock.now())).toBe(true)
  })

  it('the books’ documented signature is the old one too, in the form that is documented', async () => {
    const endpoint = await newEndpoint(world(), tenant, receiver().url, 'books')
    const { secret } = await rotate(booksEndpoints, endpoint)
    const one = await received('books')
    expect(signedBy(one)(endpoint.secret)).toBe(0)
    expect(signedBy(one)(secret)).toBe(1)
  })

  it('another rotation is refused, unless it ends all secrets at once', async () => {
    const endpoint = await newEndpoint(world(), tenant, receiver().url, 'books')
    const { secret: leaked } = await rotate(booksEndpoints, endpoint)
    await expect(rotate(booksEndpoints, endpoint)).rejects.toMatchObject({ kind: 'conflict' })
    const { secret, oldSecretUntil } = await rotate(booksEndpoints, endpoint, 0)
    expect(oldSecretUntil).toBeNull()
    const sign = signedBy(await received('books'))
    expect([secret, leaked, endpoint.secret].map(sign)).toEqual([0, -1, -1])
    expect(await stored(endpoint)).toEqual({ old: null, until: null })
  })

  it('promoting the new secret ends it', async () => {
    const endpoint = await newEndpoint(world(), tenant, receiver().url)
    const { secret } = await rotate(merchantEndpoints, endpoint, 48)
    await promote(endpoint)
    const one = await received('merchant')
    expect(isGenuine(one, secret, clock.now())).toBe(true)
    expect(one.headers['x-service-signature-new']).toBeUndefined()
    expect(await stored(endpoint)).toEqual({ old: null, until: null })
    await expect(promote(endpoint)).rejects.toMatchObject({ kind: 'invalid_request' })
  })
})

describe('when the overlap has ended', () => {
  it('the new secret signs alone, whether or not the old one was wiped yet', async () => {
    const merchant = await newEndpoint(world(), tenant, receiver().url)
    const { secret } = await rotate(merchantEndpoints, merchant, 2)
    const books = await newEndpoint(world(), tenant, receiver().url, 'books')
    const { secret: booksSecret } = await rotate(booksEndpoints, books, 2)
    clock.advance(2 * hour - 1)
    await tend()
    expect((await stored(merchant))?.old).not.toBeNull()
    expect((await received('merchant')).headers['x-service-signature-new']).toBeDefined()
    clock.advance(1)
    const one = await received('merchant')
    expect(isGenuine(one, secret, clock.now())).toBe(true)
    expect(one.headers['x-service-signature-new']).toBeUndefined()
    const sign = signedBy(await received('books'))
    expect([sign(booksSecret), sign(books.secret)]).toEqual([0, -1])
    expect((await received('books')).headers['x-accounting-signature-new']).toBeUndefined()
    await tend()
    expect(await stored(merchant)).toEqual({ old: null, until: null })
    expect(await stored(books)).toEqual({ old: null, until: null })
  })

  it('the secret can be changed again', async () => {
    const endpoint = await newEndpoint(world(), tenant, receiver().url)
    await rotate(merchantEndpoints, endpoint, 1)
    clock.advance(hour)
    const { oldSecretUntil } = await rotate(merchantEndpoints, endpoint, 1)
    expect(oldSecretUntil).toEqual(new Date(clock.now().getTime() + hour))
  })
})

it('both secrets are sealed at rest, and a reseal takes them along', async () => {
  const endpoint = await newEndpoint(world(), tenant, receiver().url)
  const { secret } = await rotate(merchantEndpoints, endpoint)
  const { context, database } = world()
  const [row] = await database.sql`
    select *
    from kernel.webhook_endpoints
    where id = ${endpoint.id}`
  for (const text of [secret, endpoint.secret]) {
    for (const value of Object.values(row ?? {})) {
      expect(Buffer.isBuffer(value) ? value.includes(text) : String(value)).not.toContain(text)
    }
  }
  const second = { version: 2, key: Buffer.alloc(32, 2) }
  const fresh = createSecrets([second])
  const ring = {
    ...fresh,
    open: (sealed: Buffer, bound: string) =>
      sealed.readUInt8(0) === 2 ? fresh.open(sealed, bound) : context.secrets.open(sealed, bound),
  }
  await database.sql`
    delete from kernel.secrets_canary`
  const resealed = await resealSecrets(database, ring)
  const counts = new Map(resealed.map(({ column, count }) => [column, count]))
  expect(counts.get('kernel.webhook_endpoints.old_secret_sealed')).toBeGreaterThan(0)
  expect((await stored(endpoint))?.old?.readUInt8(0)).toBe(2)
  // Back again, for the tests that follow.
  await resealSecrets(database, { ...context.secrets, open: ring.open })
  expect(isGenuine(await received('merchant'), endpoint.secret, clock.now())).toBe(true)
})

describe('a rotation is refused', () => {
  it.each([-1, 0.5, 721, Number.NaN])('with an overlap of %d hours', async (hours) => {
    const endpoint = await newEndpoint(world(), tenant, receiver().url)
    await expect(rotate(merchantEndpoints, endpoint, hours)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
  })

  // covers: owners and admins can also manage webhook endpoints in the dashboard
  it('to people who are neither owner nor admin', async () => {
    const endpoint = await newEndpoint(world(), tenant, receiver().url)
    const person = (role: 'admin' | 'member') =>
      ({ kind: 'person', personId: 'someone', role, ...tenant }) as const
    await expect(rotate(merchantEndpoints, endpoint, 24, person('member'))).rejects.toMatchObject({
      kind: 'permission_denied',
    })
    await rotate(merchantEndpoints, endpoint, 24, person('admin'))
  })

  it('of an endpoint of another tenant, environment or service, or that was removed', async () => {
    const businessId = await world().business()
    const others = [
      await newEndpoint(world(), { ...tenant, businessId }, receiver().url),
      await newEndpoint(world(), { ...tenant, environment: 'test' }, receiver().url),
      await newEndpoint(world(), tenant, receiver().url, 'books'),
    ]
    for (const endpoint of others) {
      await expect(rotate(merchantEndpoints, endpoint)).rejects.toMatchObject({ kind: 'not_found' })
    }
  })
})

function withSignature(one: Received, signature: string | string[] | undefined): Received {
  return { ...one, headers: { ...one.headers, 'x-service-signature': signature } }
}
