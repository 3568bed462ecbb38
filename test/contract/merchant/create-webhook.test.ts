import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { endpointSecretRow } from '../../../src/kernel/webhooks/endpoint.ts'
import { manualClock } from '../../support/clock.ts'
import { untilBlocked } from '../../support/database.ts'
import { useNameServer } from '../../support/name-server.ts'
import { useContract } from '../../support/openapi.ts'
import { handOut } from '../../support/run-log.ts'
import { newEndpoint } from '../../support/webhooks.ts'
import type { CallOptions, WantedKey } from '../../support/world.ts'

const clock = manualClock()
const names = useNameServer({
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07::1'],
  'mixed.example.com': ['93.184.215.14', '10.0.0.1'],
  'inside.example.com': ['192.168.1.1'],
  'inside6.example.com': ['fd00::1'],
  'broken.example.com': 'failing',
})
const { world, call } = useContract({ clock, egress: { resolver: names.resolver } })
const silent = useContract({ egress: { resolver: unreachable() } })
const path = '/merchant/api/v1/webhooks'
const url = 'https://hooks.example.com/tillbook?token=abc'

const newKey = (wanted: Partial<WantedKey> = {}) => world().key({ service: 'merchant', ...wanted })
const post = (key: string, options: CallOptions) => call('POST', path, { key, ...options })

async function written(businessId: string) {
  const { sql } = world().database
  const endpoints = await sql<{ id: string; secretSealed: Buffer; environment: string }[]>`
    select id, secret_sealed, environment, url
    from kernel.webhook_endpoints
    where business_id = ${businessId}`
  const acts = await sql`
    select environment, actor_kind, actor_id, object_id, detail
    from kernel.audit_log
    where business_id = ${businessId}
      and action = 'webhook.create'`
  return { endpoints, acts }
}

describe('200', () => {
  // covers: The creation response returns a signing secret
  // covers: POST /webhooks, webhooks:manage
  it('registers an address and shows its secret, which is kept sealed', async () => {
    const { text, id, businessId } = await newKey()
    const { status, body } = await post(text, { body: { url } })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      environment: 'live',
      created_at: clock.now().toISOString(),
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{43}$/),
    })
    handOut(body.secret)
    const { endpoints, acts } = await written(businessId)
    expect(endpoints).toMatchObject([{ id: body.id, environment: 'live', url }])
    const sealed = endpoints[0]?.secretSealed ?? Buffer.alloc(0)
    expect(sealed.includes(body.secret)).toBe(false)
    const opened = world().context.secrets.open(sealed, endpointSecretRow(body.id))
    expect(opened.toString()).toBe(body.secret)
    expect(acts).toMatchObject([
      { environment: 'live', actorKind: 'key', actorId: id, objectId: body.id },
    ])
    expect(JSON.stringify(acts)).not.toMatch(/token|whsec/)
  })

  // covers: POST /webhooks, webhooks:manage
  it('gives every endpoint its own secret, also for the same address', async () => {
    const { text, businessId } = await newKey()
    const first = await post(text, { body: { url } })
    const second = await post(text, { body: { url } })
    expect(first.body.secret).not.toBe(second.body.secret)
    expect((await written(businessId)).endpoints).toHaveLength(2)
  })

  it('belongs to the environment of the key, for any business', async () => {
    const businessId = await world().business({ kycStatus: 'unverified' })
    const { text } = await newKey({ businessId, environment: 'test' })
    const { body } = await post(text, { body: { url } })
    expect(body.environment).toBe('test')
    expect((await written(businessId)).endpoints).toMatchObject([{ environment: 'test' }])
  })

  it.each([
    // covers: Endpoint: `url` (https uri, max 500)
    // covers: webhook url 500
    ['an address of 500 characters', 'https://hooks.example.com/'.padEnd(500, 'a')],
    // covers: must resolve to a public address (not localhost
    ['a public IPv4 address', 'https://1.1.1.1/'],
    // covers: must resolve to a public address (not localhost
    ['a public IPv6 address', 'https://[2606:4700:4700::1111]/hook'],
    ['its own port', 'https://hooks.example.com:8443/hook'],
    ['a name with its dot', 'https://hooks.example.com./hook'],
    ['a name in capitals', 'HTTPS://HOOKS.EXAMPLE.COM/hook'],
    ['a fragment', 'https://hooks.example.com/hook#there'],
    [
      'a name that the name server fails on, since attempts ask again',
      'https://broken.example.com',
    ],
  ])('takes %s', async (_, wanted) => {
    const { status, body, text } = await post((await newKey()).text, { body: { url: wanted } })
    expect(status, text).toBe(200)
    expect(body.url).toBe(wanted)
  })

  it('is answered also while no name server can be reached', async () => {
    const { text } = await silent.world().key({ service: 'merchant' })
    const { status } = await silent.call('POST', path, { key: text, body: { url } })
    expect(status).toBe(200)
    const local = { url: 'https://localhost/hook' }
    expect((await silent.call('POST', path, { key: text, body: local })).status).toBe(400)
  })
})

describe('400', () => {
  const cases: [string, unknown][] = [
    // covers: Endpoint: `url` (https uri, max 500)
    ['no address', undefined],
    ['null', null],
    ['a number', 1],
    ['an empty text', ''],
    // covers: Endpoint: `url` (https uri, max 500)
    ['a path', '/hook'],
    // covers: Endpoint: `url` (https uri, max 500)
    // covers: webhook url 500
    ['an address of 501 characters', 'https://hooks.example.com/'.padEnd(501, 'a')],
    // covers: Endpoint: `url` (https uri, max 500)
    // covers: Must be `https://`
    ['http', 'http://hooks.example.com/'],
    // covers: Must be `https://`
    ['another scheme', 'ftp://hooks.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['no host', 'https:///hook'],
    ['blanks around it', ' https://hooks.example.com/ '],
    ['a line break in it', 'https://hooks.exam\nple.com/'],
    ['a character that cannot be stored', 'https://hooks.example.com/\u0000'],
    ['a backslash', 'https://hooks.example.com\\@127.0.0.1/'],
    // covers: must not contain a username or password
    ['a user name', 'https://user@hooks.example.com/'],
    // covers: must not contain a username or password
    ['a user name and password', 'https://user:secret@hooks.example.com/'],
    // covers: must not contain a username or password
    ['an empty user name', 'https://@hooks.example.com/'],
    ['port 0', 'https://hooks.example.com:0/'],
    ['a port that there is not', 'https://hooks.example.com:65536/'],
    // covers: must resolve to a public address (not localhost
    ['localhost', 'https://localhost/hook'],
    ['localhost in capitals with a dot', 'https://LOCALHOST./hook'],
    ['a name below localhost', 'https://a.localhost/hook'],
    ['a name of the own network', 'https://printer.local/'],
    ['a name without a dot', 'https://intranet/'],
    // covers: must resolve to a public address (not localhost
    ['a metadata name', 'https://metadata.google.internal/computeMetadata/v1/'],
    ['a name that there is not', 'https://missing.example.com/'],
    // covers: must resolve to a public address (not localhost
    ['a name at a private address', 'https://inside.example.com/'],
    ['a name at a private IPv6 address', 'https://inside6.example.com/'],
    // covers: must resolve to a public address (not localhost
    ['a name with one public and one private address', 'https://mixed.example.com/'],
    // covers: must resolve to a public address (not localhost
    ['loopback', 'https://127.0.0.1/'],
    ['loopback as one decimal number', 'https://2130706433/'],
    ['loopback in octal', 'https://0177.0.0.1/'],
    ['loopback in hex', 'https://0x7f.1/'],
    ['loopback in short', 'https://127.1/'],
    ['loopback with a dot', 'https://127.0.0.1./'],
    ['loopback of IPv6', 'https://[::1]/'],
    ['no address at all', 'https://0.0.0.0/'],
    // covers: must resolve to a public address (not localhost
    ['a private address', 'https://10.0.0.1/'],
    // covers: must resolve to a public address (not localhost
    ['a metadata address', 'https://169.254.169.254/latest/meta-data/'],
    ['the address of a cloud’s host', 'https://168.63.129.16/machine?comp=goalstate'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]/'],
    ['a mapped public address', 'https://[::ffff:1.1.1.1]/'],
    ['a compatible address', 'https://[::127.0.0.1]/'],
    ['loopback behind NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['a private address in 6to4', 'https://[2002:a00:1::]/'],
  ]
  it.each(cases)('is the answer to %s', async (_, wanted) => {
    const { text, businessId } = await newKey()
    const { status, body } = await post(text, { body: { url: wanted } })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect(Object.keys(body.error.fieldErrors)).toEqual(['url'])
    expect(await written(businessId)).toMatchObject({ endpoints: [], acts: [] })
  })

  const characters =
    'Contains characters that are not allowed. Write those of the host as xn--…, and all ' +
    'others as %XX.'
  const port = 'The port must be a number from 1 to 65535. The default is 443.'
  const blank = 'Must not contain spaces or line breaks. Write a space as %20.'
  it.each([
    ['https://hooks.example.com/my hook', blank],
    ['https://hooks.example.com/hook\n', blank],
    ['http://hooks.example.com/', 'Must start with https://.'],
    ['hooks.example.com', 'Must start with https://.'],
    ['', 'Must start with https://.'],
    ['https://hooks.example.com:0/', port],
    ['https://hooks.example.com:65536/', port],
    ['https://hooks.example.com:https/', port],
    ['https://[2606:4700::1]:0/', port],
    [
      'https://user:secret@hooks.example.com/',
      'Must not contain a user name or password. A token can be in the path or the query.',
    ],
    ['https://hööks.example.com/', characters],
    ['https://hooks.example.com/50%', characters],
    ['https:///hook', 'Must be an address like https://hooks.example.com/path.'],
    ['https://a..b.256.1.1.1/', 'Must be an address like https://hooks.example.com/path.'],
  ])('says what to write instead of %j', async (wanted, words) => {
    const { body } = await post((await newKey()).text, { body: { url: wanted } })
    expect(body.error.fieldErrors).toEqual({ url: [words] })
  })

  it('is the answer to one endpoint more than a business may have, until another is removed', async () => {
    const { text, businessId } = await newKey()
    const tenant = { businessId, environment: 'live' } as const
    const made: string[] = []
    for (let count = 0; count < 100; count += 1) {
      made.push((await newEndpoint(world(), tenant, url)).id)
    }
    const { status, body } = await post(text, { body: { url } })
    expect(status).toBe(400)
    expect(body.error).toBe('A business has at most 100 webhooks.')
    await newEndpoint(world(), { ...tenant, environment: 'test' }, url)
    await call('DELETE', `${path}/${made[0]}`, { key: text })
    expect((await post(text, { body: { url } })).status).toBe(200)
    expect((await post(text, { body: { url } })).status).toBe(400)
  })

  it('is the answer to all but one that are made at once beside ninety-nine', async () => {
    const { text, businessId } = await newKey()
    const tenant = { businessId, environment: 'live' } as const
    for (let count = 0; count < 99; count += 1) await newEndpoint(world(), tenant, url)
    const { observer, sql } = world().database
    // No one can add one until all have come as far as they can.
    const answers = await observer.begin(async (tx) => {
      await tx`lock table kernel.webhook_endpoints in share mode`
      const sent = Promise.all([1, 2, 3].map(() => post(text, { body: { url } })))
      await untilBlocked(sql, 3)
      return { sent }
    })
    const statuses = (await answers.sent).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    expect((await written(businessId)).endpoints).toHaveLength(100)
  })

  it('does not tell a name of the operator’s own network from one that there is not', async () => {
    const { text } = await newKey()
    const wordsFor = async (host: string) => {
      const { body } = await post(text, { body: { url: `https://${host}/` } })
      return body.error
    }
    const words = await wordsFor('missing.example.com')
    expect(words.fieldErrors.url).toHaveLength(1)
    for (const host of ['inside.example.com', 'inside6.example.com', 'mixed.example.com']) {
      expect(await wordsFor(host)).toEqual(words)
    }
  })

  it('is the answer to a field that there is not', async () => {
    const { status, body } = await post((await newKey()).text, { body: { url, events: ['a'] } })
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual(['events'])
  })
})

describe('401', () => {
  it('is the answer without a key, before the body is looked at', async () => {
    expect((await call('POST', path, { rawBody: 'not JSON' })).status).toBe(401)
  })
})

describe('403', () => {
  // covers: POST /webhooks, webhooks:manage
  it('is the answer to a key without the scope', async () => {
    const { text, businessId } = await newKey({ scopes: ['webhooks:read_logs', 'webhooks:retry'] })
    const { status, body } = await post(text, { body: { url } })
    expect(status).toBe(403)
    expect(body.error).toBe('The key needs the scope webhooks:manage.')
    expect((await written(businessId)).endpoints).toEqual([])
  })
})

// An address of this machine at which no one answers.
function unreachable(): Resolver {
  const resolver = new Resolver({ timeout: 200, tries: 1 })
  resolver.setServers(['127.0.0.1:9'])
  return resolver
}
