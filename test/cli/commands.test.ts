// The commands as an operator types them, from the first business to the last key.
import { describe, expect, test } from 'vitest'
import { createPeople } from '../../src/kernel/auth/people.ts'
import { createSecrets, parseSecretsRing } from '../../src/kernel/auth/secrets.ts'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import { type Installation, installation, newBusiness } from '../support/cli.ts'
import { startService } from '../support/processes.ts'
import { totp } from '../support/totp.ts'

const creator = ['--created-by', 'ada@example.com']
const keyOptions = [
  ...['--service', 'merchant', '--scopes', 'account:read'],
  ...['--name', 'Back office', ...creator],
]

async function withBusiness() {
  const installed = await installation()
  const { business_id: business, owner } = await installed.json(...newBusiness)
  return { ...installed, business: ['--business', business], businessId: business, owner }
}

describe('a business', () => {
  test('is made with an owner who can sign in, and is listed', async () => {
    const { businessId, owner, cli, json, env, database } = await withBusiness()
    expect(await json('businesses')).toMatchObject([
      { id: businessId, name: 'Corner shop', is_demo: false },
    ])
    const listed = await cli('businesses')
    expect(listed).toMatchObject({ status: 0, stdout: `${businessId}  Corner shop\n` })
    expect(owner.email).toBe('ada@example.com')
    expect(owner.otpauth_url).toContain(`secret=${owner.totp_secret}&`)
    expect(owner.backup_codes).toHaveLength(10)

    const people = await peopleOf({ env, database })
    const code = totp(owner.totp_secret, new Date())
    const person = await people.verifyPasswordAndCode(owner.email, owner.password, code)
    expect(person).toBeDefined()
    expect(await people.listMemberships(person?.personId ?? '')).toEqual([
      { businessId, businessName: 'Corner shop', role: 'owner' },
    ])
    const acts = await database.sql`
      select actor_id, action
      from kernel.audit_log
      where business_id = ${businessId}
      order by id`
    expect(acts).toMatchObject([
      { actorId: 'cli businesses create', action: 'business.create' },
      { actorId: 'cli businesses create', action: 'membership.create' },
    ])
  })

  test('is described to a person at the terminal, with the password shown once', async () => {
    const { cli } = await installation()
    expect((await cli('businesses')).stdout).toBe(
      'None yet. Create one with `cli businesses create`.\n',
    )
    const { status, stdout } = await cli(...newBusiness)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Business {5}[0-9a-f-]{36}\nOwner {8}ada@example\.com\nPassword {5}\S/)
    expect(stdout).toMatch(/\nTOTP secret {2}[A-Z2-7]+\n/)
    expect(stdout).toContain(
      'every live refund and payout\nneeds an approval. `cli thresholds set`',
    )
    const again = await cli(...newBusiness)
    expect(again.status).toBe(1)
    expect(again.stderr).toBe('A person with this e-mail address already has an account.\n')
  })
})

// One of each kind; `test/cli/options.test.ts` looks at what all of them say.
const aboutBusiness = [
  ...[['balances'], ['approvals', 'list'], ['subscriptions'], ['books', 'settings']],
  ...[
    ['webhooks', 'list', '--service', 'books'],
    ['keys', 'create', ...keyOptions],
  ],
  ['businesses', 'verify', '--reason', 'Seen at the counter'],
]

describe('the business that is meant', () => {
  test('is the only one', async () => {
    const { cli } = await withBusiness()
    for (const args of aboutBusiness) {
      expect([args, await cli(...args)]).toMatchObject([args, { status: 0, stderr: '' }])
    }
  })

  test('is asked for where there are several, or none', async () => {
    const { cli, json, owner } = await withBusiness()
    expect(await json('thresholds', 'list')).toHaveProperty('business')
    await json(...newBusiness.map((word) => (word === owner.email ? 'bea@example.com' : word)))
    expect(await json('thresholds', 'list')).not.toHaveProperty('business')
    for (const args of aboutBusiness.slice(0, 3)) {
      const { status, stderr } = await cli(...args)
      expect([args, status, stderr]).toEqual([args, 64, expect.stringContaining('there are 2 ')])
      expect(stderr).toContain('--business is missing')
    }
    const { cli: early } = await installation()
    expect((await early('balances')).stderr).toContain('there is no business yet')
  })
})

test('a pause is answered in its own words, without lines of the log', async () => {
  const { cli } = await installation()
  const set = await cli('pause', 'set', '--kind', 'payouts', '--minutes', '5')
  expect(set).toMatchObject({ status: 0, stderr: '' })
  expect(set.stdout).toMatch(/^Paused: payouts, until \S+\.\n$/)
  expect(await cli('pause', 'lift', '--kind', 'payouts')).toEqual({
    ...{ status: 0, stdout: 'Lifted: payouts.\n', stderr: '' },
  })
})

describe('a key', () => {
  test('works, is replaced, goes on for the overlap, and dies within a second', async () => {
    const { cli, json, business, env } = await withBusiness()
    const service = await startService({ env })
    await service.ready()
    const statusOf = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(`${service.url}/merchant/api/v1/account`, { headers })).status
    }

    const made = await json('keys', 'create', ...business, ...keyOptions)
    expect(made).toMatchObject({ environment: 'live', scopes: ['account:read'] })
    expect(await statusOf(made.key)).toBe(200)

    const rotate = ['keys', 'rotate', ...business, '--key', made.id]
    const next = await json(...rotate, '--overlap-hours', '2')
    expect(next.key).not.toBe(made.key)
    expect([await statusOf(made.key), await statusOf(next.key)]).toEqual([200, 200])
    const keys = await json('keys', 'list', ...business)
    expect(keys).toMatchObject([
      { id: made.id, state: 'active', name: 'Back office' },
      { id: next.id, state: 'active', name: 'Back office', replaces_id: made.id },
    ])
    expect(keys[1].created_by).toBe(keys[0].created_by)
    expect(keys[0].created_by).toMatch(/^[0-9a-f-]{36}$/)
    // To the hour; how long the command took is not the question.
    const overlapMs = Date.parse(keys[0].expires_at) - Date.parse(keys[1].created_at)
    expect(Math.round(overlapMs / 3_600_000)).toBe(2)

    const last = await json('keys', 'rotate', ...business, '--key', next.id, '--overlap-hours', '0')
    await dies(() => statusOf(next.key))
    expect(await statusOf(last.key)).toBe(200)

    const revoked = await cli('keys', 'revoke', ...business, '--key', last.id)
    expect(revoked.status).toBe(0)
    expect(revoked.stdout).toBe(`Revoked svc_live_…${last.key.slice(-4)} (Back office).\n`)
    await dies(() => statusOf(last.key))
    expect(await statusOf(made.key)).toBe(200)

    const listed = await cli('keys', 'list', ...business)
    expect(listed.stdout).toContain(`${last.id}  svc_live_…${last.key.slice(-4)}  revoked`)
    expect(listed.stdout).toContain(`${next.id}  svc_live_…${next.key.slice(-4)}  expired`)
    expect(listed.stdout).toContain('  scopes     account:read\n')
    expect(listed.stdout).not.toContain(made.key)
  })

  test('is shown once to a person at the terminal', async () => {
    const { cli, business } = await withBusiness()
    expect((await cli('keys', 'list', ...business)).stdout).toBe(
      'No keys yet. Create one with `cli keys create`.\n',
    )
    const { status, stdout } = await cli('keys', 'create', ...business, ...keyOptions)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^svc_live_\w{71}\n\nId [0-9a-f-]{36}\. The key is shown only once; /)
  })

  test('is listed with who made it, and when, where and until when it may be used', async () => {
    const { cli, json, business, database } = await withBusiness()
    const limits = ['--allow', '203.0.113.0/24,2001:db8::1', '--expires', '2999-01-31']
    const made = await json('keys', 'create', ...business, ...keyOptions, ...limits)
    const usedAt = new Date('2026-05-06T07:08:09.010Z')
    await database.sql`
      update kernel.api_keys
      set last_used_at = ${usedAt}
      where id = ${made.id}`
    await json('keys', 'create', ...business, ...keyOptions, '--test')
    const { stdout } = await cli('keys', 'list', ...business)
    const iso = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    const lines = [
      `${made.id}  svc_live_…${made.key.slice(-4)}  active   merchant live  Back office`,
      '  scopes     account:read',
      '  addresses  203.0.113.0/24, 2001:db8::1',
      `  created    ${iso} by ada@example\\.com`,
      '  expires    2999-01-31T00:00:00.000Z',
      '  last used  2026-05-06T07:08:09.010Z',
      String.raw`\S+  svc_test_…\w{4}  active   merchant test  Back office`,
      '  scopes     account:read',
      '  addresses  all',
      `  created    ${iso} by ada@example\\.com`,
      '  expires    never',
      '  last used  never',
    ]
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`))
    const [first] = await json('keys', 'list', ...business)
    expect(first).toMatchObject({ creator_email: 'ada@example.com' })
  })

  test('is made by the only owner unless told, and by whom must be told of several', async () => {
    const { cli, json, business, businessId, owner, database } = await withBusiness()
    const anonymous = keyOptions.slice(0, keyOptions.indexOf('--created-by'))
    const made = await json('keys', 'create', ...business, ...anonymous)
    const [key] = await json('keys', 'list', ...business)
    expect(key).toMatchObject({ id: made.id, creator_email: owner.email })

    await json(...newBusiness.map((word) => (word === owner.email ? 'bea@example.com' : word)))
    await database.sql`
      insert into kernel.memberships (business_id, person_id, role, created_at)
      select ${businessId}, id, 'owner', now()
      from kernel.people
      where email = 'bea@example.com'`
    const refused = await cli('keys', 'create', ...business, ...anonymous)
    expect(refused.status).toBe(64)
    expect(refused.stderr).toContain(
      '--created-by is missing, and the business has several owners: ' +
        'ada@example.com, bea@example.com',
    )
    const bea = ['--created-by', 'bea@example.com']
    const second = await json('keys', 'create', ...business, ...anonymous, ...bea)
    const keys: { id: string; creator_email: string }[] = await json('keys', 'list', ...business)
    expect(keys.find(({ id }) => id === second.id)?.creator_email).toBe('bea@example.com')
  })

  test('takes every scope with `all`', async () => {
    const { json, business } = await withBusiness()
    const options = ['--service', 'books', '--test', '--scopes', 'all']
    const made = await json('keys', 'create', ...business, ...options, '--name', 'Try')
    expect(made).toMatchObject({ environment: 'test', scopes: ['read', 'write'] })
    expect(made.key).toMatch(/^acct_test_/)
  })
})

describe('verify', () => {
  test('passes good data, and names what is broken', async () => {
    const { cli, json, business, businessId, database } = await withBusiness()
    await json('keys', 'create', ...business, ...keyOptions)
    const good = await cli('verify')
    expect(good.status).toBe(0)
    expect(good.stdout).toMatch(/^ok {6}I1\.1 {2}every ledger entry sums to zero/)
    expect(good.stdout).not.toContain('BROKEN')
    const found = await json('verify')
    expect(found).toHaveLength(good.stdout.trim().split('\n').length)

    await database.sql`
      insert into kernel.events
        (business_id, environment, id, service, type, object_id, data, created_at)
      values
        (${businessId}, 'live', ${businessId}, 'books', 'contact.created', ${businessId}, '{}',
         now())`
    const bad = await cli('verify')
    expect(bad.status).toBe(1)
    expect(bad.stdout).toContain('BROKEN  I8.1  every event contact.created has its contact\n')
    expect(bad.stdout).toContain(`"event_id":"${businessId}"`)
    const { status, stdout } = await cli('verify', '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout).filter(hasViolations)).toMatchObject([
      { id: 'I8.1', violations: [{ business_id: businessId, event_id: businessId }] },
    ])
  })
})

describe('migrate', () => {
  test('brings an empty database up to date, and then finds nothing to do', async () => {
    const { cli, database } = await installation()
    await database.sql.unsafe('drop schema kernel, merchant, books, simulator cascade')
    const early = await cli('businesses')
    expect(early).toMatchObject({ status: 1, stdout: '' })
    expect(early.stderr).toMatch(/^the database is not up to date; run `cli migrate`\n$/)
    const first = await cli('migrate')
    expect(first.status).toBe(0)
    expect(first.stdout).toMatch(/^applied 0001-kernel\napplied 0002-/)
    expect(await cli('migrate')).toMatchObject({
      status: 0,
      stdout: 'The database is up to date.\n',
    })
    expect((await cli('businesses')).status).toBe(0)
  })
})

function hasViolations({ violations }: { violations: unknown[] }): boolean {
  return violations.length > 0
}

// A key may be remembered for less than a second; the tries are bounded, whatever the machine does.
async function dies(status: () => Promise<number>): Promise<void> {
  const endMs = performance.now() + 1000
  while (performance.now() < endMs && (await status()) !== 401) {
    await new Promise((settle) => setTimeout(settle, 50))
  }
  expect(await status()).toBe(401)
}

async function peopleOf({ env, database }: Pick<Installation, 'env' | 'database'>) {
  const ring = parseSecretsRing(env.SECRETS_KEY ?? '')
  if (!ring) throw new Error('the key of the installation is none')
  const context = { clock: systemClock, ids: systemIds(systemClock), log: createLog('silent') }
  const options = { publicUrl: env.PUBLIC_URL ?? '', secrets: createSecrets(ring) }
  return createPeople({ ...context, database, failpoint: createFailpoint() }, options)
}
