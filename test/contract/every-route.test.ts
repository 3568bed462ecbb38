// Walks every route of every service. Routes come from the services themselves, so a new one is
// covered at once. Every route is tried with a good key, without one and with one that was never
// issued; every other kind of bad key is tried at one route per service, since the same code checks
// all keys.
import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { access } from '../../src/app/access.ts'
import { services } from '../../src/app/services.ts'
import { makeKeyText, parseKeyText } from '../../src/kernel/auth/api-key.ts'
import { encodeBase62 } from '../../src/kernel/basics/base62.ts'
import { addMilliseconds } from '../../src/kernel/basics/clock.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../support/clock.ts'
import { type Described, operations, useContract } from '../support/openapi.ts'
import { fillTenant, pathObjects } from '../support/tenant-objects.ts'
import { sampleRequest } from '../support/valid-requests.ts'
import type { CallResult } from '../support/world.ts'

const clock = manualClock()
const { world, call } = useContract({ clock })

const routes = operations.map((described) => ({
  ...described,
  name: `${described.service.name} ${described.method} ${described.path}`,
}))
type Route = (typeof routes)[number]

const keyRoutes = routes.filter(({ operation }) => operation.security?.length !== 0)
const openRoutes = routes.filter(({ operation }) => operation.security?.length === 0)
const scopedRoutes = keyRoutes.filter(({ operation }) => operation['x-scopes'].length > 0)

const serviceName = (route: Route) => route.service.name as 'merchant' | 'books'

// Whatever a tenant can be shown, another business and the other environment must not be.
let businessId: string
const keys = new Map<'merchant' | 'books', TenantKeys>()
type TenantKeys = { live: string; sandbox: string; stranger: string }

beforeAll(async () => {
  businessId = await world().business()
  const strangerId = await world().business()
  for (const environment of ['live', 'test'] as const) {
    await fillTenant(world(), { businessId, environment })
  }
  for (const service of ['merchant', 'books'] as const) {
    const key = async (options: object) => (await world().key({ service, ...options })).text
    keys.set(service, {
      live: await key({ businessId }),
      sandbox: await key({ businessId, environment: 'test' }),
      stranger: await key({ businessId: strangerId }),
    })
  }
})

function tenantKeys(route: Route): TenantKeys {
  const found = keys.get(serviceName(route))
  if (!found) throw new Error(`no key was made for ${route.name}`)
  return found
}

// The request is valid in everything but what the test is about.
function request(route: Route, key?: string, headers: Record<string, string> = {}) {
  const sample = sampleRequest(route)
  return call(route.method, route.service.basePath + sample.path, {
    ...(key === undefined ? {} : { key }),
    ...(sample.body === undefined ? {} : { body: sample.body }),
    headers: { ...sample.headers, ...headers },
  })
}

// covers: Every request is authenticated with a bearer API key
it('knows both services and their first routes', () => {
  expect(routes.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'merchant GET /reference',
      'merchant GET /openapi.json',
      'merchant GET /account',
      'books GET /accounts',
      'books GET /contacts',
      'books POST /contacts',
    ]),
  )
  expect(openRoutes.map(({ name }) => name)).toEqual(['merchant GET /reference'])
})

const keyForm = ({ service: { keyPrefix } }: Route) =>
  `${keyPrefix}_live_ or ${keyPrefix}_test_ and 71 letters and digits`

const refusals = {
  absent: () => 'No API key was sent. Send it as `Authorization: Bearer <key>`.',
  unreadable: () => 'The header must read `Authorization: Bearer <key>`.',
  mistyped: (route: Route) =>
    `The API key is incomplete or mistyped. Keys of this service are ${keyForm(route)}.`,
  foreign: (route: Route) =>
    `The API key is for another service. Keys of this one are ${keyForm(route)}.`,
  // One body for all that only the database knows, so that no one learns whether a key exists.
  unknown: () => 'The API key is unknown, revoked or expired, or not allowed from this address.',
}

function keysOf(route: Route) {
  return {
    newKey: (options = {}) => world().key({ service: serviceName(route), ...options }),
    async expectRefused(answer: Promise<CallResult>, why: keyof typeof refusals = 'unknown') {
      const { status, headers, body } = await answer
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe('Bearer')
      expect(body).toEqual({
        error: refusals[why](route),
        code: 'authentication_failed',
        request_id: headers.get('x-request-id'),
      })
    },
    async expectLetIn(answer: Promise<CallResult>) {
      const { status, text } = await answer
      expect([401, 403], text).not.toContain(status)
      expect(status, text).toBeLessThan(500)
    },
  }
}

describe.each(keyRoutes)('$name', (route) => {
  const { expectRefused, expectLetIn } = keysOf(route)

  // covers: 1. Every request except `GET /reference` carries `Authorization
  it('lets a good key in', async () => {
    await expectLetIn(request(route, tenantKeys(route).stranger))
  })

  // covers: Every request is authenticated with a bearer API key
  // covers: 1. Every request except `GET /reference` carries `Authorization
  // covers: 4. A bad, missing, revoked or expired key
  // covers: Body: `{error, code, request_id}`
  // covers: `request_id` is also sent as `X-Request-Id`
  it('refuses a call without a key', async () => {
    await expectRefused(request(route), 'absent')
    await expectRefused(request(route, undefined, { authorization: '' }), 'absent')
  })

  // covers: 4. A bad, missing, revoked or expired key
  it('refuses a well-formed key that was never issued', async () => {
    const { ids } = world().context
    await expectRefused(
      request(route, makeKeyText(ids, route.service.keyPrefix, 'live', businessId)),
    )
    await expectRefused(
      request(route, makeKeyText(ids, route.service.keyPrefix, 'live', randomUUID())),
    )
  })
})

describe.each(services)('$name, at one of its routes', ({ keyPrefix, name }) => {
  const route = keyRoutes.find(({ service }) => service.name === name) as Route
  const { newKey, expectRefused, expectLetIn } = keysOf(route)

  // covers: Every request is authenticated with a bearer API key
  // covers: 1. Every request except `GET /reference` carries `Authorization
  it('refuses a header that is no bearer key', async () => {
    const { text } = await newKey()
    const password = Buffer.from(`${text}:`).toString('base64')
    const headers = ['Bearer', 'Bearer ', text, `Basic ${password}`, `Token ${text}`]
    for (const authorization of [...headers, `Bearer ${text} ${text}`]) {
      await expectRefused(request(route, undefined, { authorization }), 'unreadable')
    }
    for (const key of [`"${text}"`, `${text},`, 'null', `${keyPrefix}_live_\xe9`]) {
      await expectRefused(request(route, key), 'mistyped')
    }
  })

  it('takes the word Bearer in any case, as RFC 9110 has it', async () => {
    const { text } = await newKey()
    await expectLetIn(request(route, undefined, { authorization: `bearer ${text}` }))
  })

  // covers: 4. A bad, missing, revoked or expired key
  it('refuses a key with one character changed, wherever it is', async () => {
    const { text } = await newKey()
    for (let at = 0; at < text.length; at += 7) {
      const other = text[at] === 'x' ? 'y' : 'x'
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      await expectRefused(request(route, changed), 'mistyped')
    }
  })

  it('refuses a key that is cut short, too long, or in another case', async () => {
    const { text } = await newKey()
    for (const broken of [text.slice(0, -1), `${text}0`, text.toUpperCase(), text.toLowerCase()]) {
      await expectRefused(request(route, broken), 'mistyped')
    }
  })

  // covers: Two key environments exist: live keys and sandbox (test) keys
  // covers: 2. A key is either live (prefix
  it('refuses a live key that is rewritten as a test key, checksum and all', async () => {
    const { text } = await newKey()
    expect(text.startsWith(`${keyPrefix}_live_`)).toBe(true)
    const rewritten = text.slice(0, -6).replace('_live_', '_test_')
    const forged = rewritten + encodeBase62(BigInt(crc32(rewritten)), 6)
    // Well-formed, so it is the environment and nothing else that it fails by.
    expect(parseKeyText(forged)).toMatchObject({ prefix: keyPrefix, environment: 'test' })
    await expectRefused(request(route, forged))
  })

  // covers: 4. A bad, missing, revoked or expired key
  it('refuses the keys of every other service', async () => {
    for (const { name } of services.filter(({ name }) => name !== route.service.name)) {
      const { text } = await world().key({ service: name as 'merchant' | 'books' })
      await expectRefused(request(route, text), 'foreign')
    }
  })

  // covers: 4. A bad, missing, revoked or expired key
  it('refuses a revoked key within one second, however busy it is', async () => {
    const { text, id, businessId } = await newKey()
    await expectLetIn(request(route, text))
    const actor = { kind: 'system', name: 'test', businessId, environment: 'live' } as const
    await runOperation(access.revokeApiKey, world().context, actor, { id })
    // Busy until the end: using a key must not keep it alive.
    for (let passed = 0; passed < 1000; passed += 250) {
      await request(route, text)
      clock.advance(250)
    }
    await expectRefused(request(route, text))
  })

  // covers: 4. A bad, missing, revoked or expired key
  it('takes a key until the moment it expires, and not at that moment', async () => {
    const expiresAt = addMilliseconds(clock.now(), 10_000)
    const { text } = await newKey({ expiresAt })
    clock.set(addMilliseconds(expiresAt, -1))
    await expectLetIn(request(route, text))
    clock.set(expiresAt)
    await expectRefused(request(route, text))
  })

  // covers: 4. A bad, missing, revoked or expired key
  it('refuses a key whose address list does not have the caller', async () => {
    const lists = [['192.0.2.1'], ['10.0.0.0/8', '::1'], ['127.0.0.2/32']]
    for (const allowedAddresses of lists) {
      const { text } = await newKey({ allowedAddresses })
      await expectRefused(request(route, text))
      // The header is an invention of the caller's: no proxy is trusted here.
      const [claimed = ''] = allowedAddresses
      await expectRefused(request(route, text, { 'x-forwarded-for': claimed.split('/')[0] ?? '' }))
    }
  })

  // covers: 4. A bad, missing, revoked or expired key
  it('lets a key in whose address list has the caller', async () => {
    for (const allowedAddresses of [['127.0.0.1'], ['192.0.2.1', '127.0.0.0/8']]) {
      const { text } = await newKey({ allowedAddresses })
      await expectLetIn(request(route, text))
    }
  })
})

describe.each(scopedRoutes)('$name', (route) => {
  const needed = route.operation['x-scopes']

  // covers: 3. Each operation requires the scope listed in Endpoints
  // covers: 5. A missing scope, an unverified business
  it('answers 403 to a key that has every scope but the ones it needs', async () => {
    const scopes = route.service.scopes.filter((scope) => !needed.includes(scope))
    expect(scopes.length).toBeGreaterThan(0)
    const wanted = { service: serviceName(route), businessId, scopes }
    const { id, text } = await world().key(wanted)
    // A scope that brings another along would bring the needed one back.
    await world().database.sql`update kernel.api_keys set scopes = ${scopes} where id = ${id}`
    const { status, body } = await request(route, text)
    expect(status).toBe(403)
    expect(body.code).toBe('permission_denied')
    for (const scope of needed) expect(body.error).toContain(scope)
  })

  // Which of them a body decides is told by the route's own contract test.
  const byBody = new Set(route.operation['x-body-scopes']?.map(({ scope }) => scope))
  const enough = needed.filter((scope) => !byBody.has(scope))

  // covers: GET /payments, payments:read
  // covers: 3. Each operation requires the scope listed in Endpoints
  it.each(enough.map((scope) => ({ scope })))(
    'lets a key in that has $scope alone',
    async (one) => {
      const wanted = { service: serviceName(route), businessId, scopes: [one.scope] }
      const { text } = await world().key(wanted)
      expect([401, 403]).not.toContain((await request(route, text)).status)
    },
  )
})

// The description of the interface is the same for everyone, with ids in its examples.
const listRoutes = keyRoutes.filter(
  ({ method, path }) => method === 'GET' && !path.includes('{') && path !== '/openapi.json',
)
const objectRoutes = keyRoutes.filter(({ path }) => path.includes('{'))

describe.each(listRoutes)('$name', (route) => {
  // Ours are all of version 7.
  const uuids = (text: string) =>
    new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g))

  // covers: 6. Objects belong to a business and an environment
  it('shows nothing of one tenant to another', async () => {
    const { live, sandbox, stranger } = tenantKeys(route)
    const shown = uuids((await request(route, live)).text)
    if (JSON.stringify(route.operation.responses[200]).includes('"format":"uuid"')) {
      expect(shown.size, 'fillTenant puts nothing into this list').toBeGreaterThan(0)
    }
    const toStranger = uuids((await request(route, stranger)).text)
    expect([...toStranger].filter((id) => shown.has(id))).toEqual([])
    // Both environments belong to the same business, whose own id both may know.
    const toSandbox = uuids((await request(route, sandbox)).text)
    expect([...toSandbox].filter((id) => shown.has(id) && id !== businessId)).toEqual([])
  })
})

describe.each(objectRoutes)('$name', (route) => {
  const ask = (path: string, key: string) => {
    const { body } = sampleRequest(route)
    return call(route.method, path, { key, ...(body === undefined ? {} : { body }) })
  }
  const pathWith = (parameter: (name: string) => string) =>
    route.service.basePath + route.path.replaceAll(/\{([^}]+)\}/g, (_, name) => parameter(name))

  // covers: 6. Objects belong to a business and an environment
  // covers: 404 not_found: no such object for the business
  it('answers 404 for an object of another business or environment', async () => {
    const make = pathObjects[route.operation.operationId]
    if (!make) throw new Error(`pathObjects does not say how ${route.name} gets its object`)
    const { live, sandbox, stranger } = tenantKeys(route)
    const parameters = await make(world(), { businessId, environment: 'live' })
    const path = pathWith((name) => parameters[name] ?? '')
    for (const key of [stranger, sandbox]) {
      const { status, body } = await ask(path, key)
      expect(status).toBe(404)
      expect(body.code).toBe('not_found')
    }
    expect((await ask(path, live)).status).not.toBe(404)
  })

  // covers: 404 not_found: no such object for the business
  it('answers 404 for an id that cannot be one, or is no one’s', async () => {
    const { live } = tenantKeys(route)
    for (const id of ['1', 'null', randomUUID(), randomUUID().slice(1), '%00', 'a'.repeat(500)]) {
      expect(
        (
          await ask(
            pathWith(() => id),
            live,
          )
        ).status,
      ).toBe(404)
    }
  })
})

describe.each(routes)('$name', (route) => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']
  const path = route.service.basePath + route.path.replaceAll(/\{[^}]+\}/g, randomUUID())
  const isRoute = (method: string) =>
    routes.some((other) => {
      const meant = method === 'HEAD' ? 'GET' : method
      return other.service === route.service && sameShape(other, route, meant)
    })

  // covers: All paths are relative to `{base_url}`
  // covers: The machine-readable description is kept in step with the implementation
  it('answers 404 to every method that the interface does not name', async () => {
    const { stranger: key } = tenantKeys(route)
    for (const method of methods.filter((name) => !isRoute(name))) {
      expect((await call(method, path, { key })).status).toBe(404)
      expect((await call(method, path)).status).toBe(404)
    }
  })

  it('answers 400 to a query parameter that it does not have, and names it', async () => {
    const { stranger: key } = tenantKeys(route)
    const { status, body } = await call(route.method, `${path}?form=2026`, { key })
    expect(status).toBe(400)
    expect(body.error.fieldErrors.form[0]).toMatch(/^Unknown field\./)
  })

  it('says how many more requests the caller may make', async () => {
    const { headers } = await request(route)
    expect(headers.get('ratelimit-limit')).toBe('1000000')
    expect(headers.get('ratelimit-remaining')).toMatch(/^9\d{5}$/)
    expect(headers.get('ratelimit-reset')).toMatch(/^\d{1,2}$/)
  })

  it('carries the security headers, also on a refusal', async () => {
    for (const answer of [await request(route), await call('GET', `${path}/none`)]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers.get('x-powered-by')).toBeNull()
      expect(answer.headers.get('server')).toBeNull()
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  // covers: Every response carries an `X-Request-Id` header
  it('makes its own request id, whatever the caller sends', async () => {
    const { headers } = await request(route, undefined, { 'x-request-id': 'mine' })
    expect(headers.get('x-request-id')).toMatch(/^req_\S+$/)
  })
})

describe('a path that no route has', () => {
  const paths = services.flatMap(({ basePath }) => [
    basePath,
    `${basePath}/`,
    `${basePath}/nothing`,
    `${basePath}/../api/v1/nothing`,
    `${basePath}//accounts`,
    `${basePath}/%zz`,
    `${basePath}/%00`,
    `${basePath}/${'a'.repeat(3000)}`,
    `${basePath.replace('v1', 'v2')}/accounts`,
  ])
  // covers: Base address: `{base_url}`
  // covers: The version is in the path segment `/api/v1`
  it.each([...paths, '/merchant', '/books/api', '/api/v1', '/nothing', '/.env', '/%c0%ae'])(
    'is answered 404: %s',
    async (path) => {
      const { status, body } = await call('GET', path)
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: 'No such path.', code: 'not_found' })
    },
  )
})

let linesSeen = 0

afterEach(() => {
  // No test may have reached a fault of ours.
  const lines = world().logLines.slice(linesSeen)
  linesSeen += lines.length
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

function sameShape(other: Described, route: Described, method: string): boolean {
  const shape = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}')
  return other.method === method && shape(other.path) === shape(route.path)
}
