import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { access } from '../../../src/app/access.ts'
import { booksService } from '../../../src/books/service.ts'
import type { Actor, Role } from '../../../src/kernel/auth/actor.ts'
import { listApiKeys } from '../../../src/kernel/auth/api-key-store.ts'
import { createAuthenticator } from '../../../src/kernel/auth/authenticate.ts'
import type { KeyIssuer } from '../../../src/kernel/auth/issue-api-key.ts'
import { insertMembership } from '../../../src/kernel/auth/membership-store.ts'
import { addMilliseconds, addSeconds } from '../../../src/kernel/basics/clock.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { merchantService } from '../../../src/merchant/service.ts'
import { manualClock } from '../../support/clock.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
let actor: Actor
let createdBy: string

beforeEach(async () => {
  const businessId = await world().business()
  actor = { kind: 'system', name: 'test', businessId, environment: 'live' }
  createdBy = await world().keyMaker()
  await join(businessId, createdBy)
})

const join = (businessId: string, personId: string) =>
  world().database.transaction((tx) =>
    insertMembership(tx, { businessId, personId, role: 'owner', createdAt: clock.now() }),
  )

type Wanted = Partial<z.input<typeof access.createApiKey.input>>

const create = (wanted: Wanted = {}, by: Actor = actor) =>
  runOperation(access.createApiKey, world().context, by, {
    service: 'merchant',
    name: 'Shop',
    scopes: ['payments:read'],
    createdBy,
    ...wanted,
  })
const rotate = (id: string, overlapSeconds: number) =>
  runOperation(access.rotateApiKey, world().context, actor, { id, overlapSeconds })
const revoke = (id: string) => runOperation(access.revokeApiKey, world().context, actor, { id })

// A new authenticator each time: nothing remembered.
const authenticate = (text: string, issuer: KeyIssuer = merchantService, address = '127.0.0.1') =>
  createAuthenticator(world().context).authenticate(issuer, `Bearer ${text}`, address)
const works = (text: string) =>
  authenticate(text).then(
    () => true,
    () => false,
  )

async function acts() {
  return world().database.sql<{ action: string; objectId: string; detail: unknown }[]>`
    select action, object_id, detail
    from kernel.audit_log
    where business_id = ${actor.businessId}
      and action <> 'business.create'
    order by id`
}

describe('a new key', () => {
  it('works at once, for its business, environment and scopes', async () => {
    const sandbox = { ...actor, environment: 'test' } as const
    const { id, text } = await create({ scopes: ['kyc:read', 'kyc:write'] }, sandbox)
    expect(text).toMatch(/^svc_test_/)
    expect(await authenticate(text)).toEqual({
      kind: 'key',
      businessId: actor.businessId,
      environment: 'test',
      keyId: id,
      createdBy,
      scopes: new Set(['kyc:read', 'kyc:write']),
    })
  })

  it('is kept as a hash and a hint only', async () => {
    const { text } = await create()
    const [row] = await world().database.sql`
      select row_to_json(api_keys)::text as text
      from kernel.api_keys
      where business_id = ${actor.businessId}`
    expect(row?.text).not.toContain(text)
    expect(row?.text).not.toContain(text.slice(-20))
    expect((await listApiKeys(world().database.sql, actor.businessId))[0]?.hint).toBe(
      `svc_live_…${text.slice(-4)}`,
    )
  })

  it('is written into the audit log, without its text', async () => {
    const { id, text } = await create()
    expect(await acts()).toMatchObject([
      {
        action: 'api_key.create',
        objectId: id,
        detail: { service: 'merchant', environment: 'live', scopes: ['payments:read'] },
      },
    ])
    expect(JSON.stringify(await acts())).not.toContain(text.slice(-20))
  })

  it('of books may read when it may write, and not the other way round', async () => {
    const writer = await create({ service: 'books', scopes: ['write'] })
    const reader = await create({ service: 'books', scopes: ['read'] })
    expect(writer.scopes).toEqual(['read', 'write'])
    expect(reader.scopes).toEqual(['read'])
  })

  it('may have a name of 100 characters as a person counts them', async () => {
    const name = '🛒'.repeat(100)
    expect((await create({ name })).name).toBe(name)
  })

  it('has each scope once, in the order of the service', async () => {
    const scopes = ['kyc:read', 'payments:read', 'kyc:read']
    const key = await create({ scopes })
    expect(key.scopes).toEqual(['payments:read', 'kyc:read'])
  })

  it.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name of 101 characters', { name: 'a'.repeat(101) }, 'name'],
    ['a name of two lines', { name: 'Shop\nShop' }, 'name'],
    ['a name with a separator of lines', { name: 'Shop\u2028Shop' }, 'name'],
    ['an unknown scope', { scopes: ['payments:read', 'payments:delete'] }, 'scopes'],
    ['a scope of the other service', { scopes: ['read'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a name for an address', { allowedAddresses: ['shop.example'] }, 'allowedAddresses'],
    ['a range that is none', { allowedAddresses: ['10.0.0.0/33'] }, 'allowedAddresses'],
    ['an end that is past', { expiresAt: '2026-03-01T11:59:59Z' }, 'expiresAt'],
  ])('is refused with %s, and nothing is written', async (_, wanted, field) => {
    const refusal = await create(wanted).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      kind: 'invalid_request',
      error: { fieldErrors: { [field]: [expect.any(String)] } },
    })
    expect(await listApiKeys(world().database.sql, actor.businessId)).toEqual([])
    expect(await acts()).toEqual([])
  })
})

describe('who answers for a key', () => {
  const person = (role: Role, personId = createdBy) =>
    ({ kind: 'person', personId, role, ...tenant() }) as const
  const tenant = () => ({ businessId: actor.businessId, environment: 'live' }) as const

  it('is the person who creates it', async () => {
    const key = await create({ createdBy: undefined }, person('admin'))
    expect(key.createdBy).toBe(createdBy)
    await expect(create({}, person('admin', world().context.ids.uuid()))).rejects.toMatchObject({
      error: { fieldErrors: { createdBy: [expect.any(String)] } },
    })
  })

  it.each([
    ['no-one', () => undefined],
    ['someone else', () => world().context.ids.uuid()],
  ])('is a member of the business, not %s, when the operator creates it', async (_, who) => {
    await expect(create({ createdBy: who() })).rejects.toMatchObject({
      error: { fieldErrors: { createdBy: ['Must be a member of the business.'] } },
    })
  })

  it('is an owner or an admin', async () => {
    for (const role of ['approver', 'member', 'viewer'] as const) {
      await expect(create({}, person(role))).rejects.toMatchObject({ kind: 'permission_denied' })
    }
  })
})

describe('a rotated key', () => {
  it('works beside its successor until the overlap ends, to the millisecond', async () => {
    const old = await create()
    const { text } = await rotate(old.id, 3600)
    expect([await works(old.text), await works(text)]).toEqual([true, true])
    const end = addSeconds(clock.now(), 3600)
    clock.set(addMilliseconds(end, -1))
    expect([await works(old.text), await works(text)]).toEqual([true, true])
    clock.set(end)
    expect([await works(old.text), await works(text)]).toEqual([false, true])
  })

  it('ends at once with no overlap', async () => {
    const old = await create()
    await rotate(old.id, 0)
    expect(await works(old.text)).toBe(false)
  })

  it('hands everything on but its text', async () => {
    const expiresAt = addSeconds(clock.now(), 86_400)
    const wanted = { scopes: ['kyc:read'], allowedAddresses: ['127.0.0.0/8'] }
    const old = await create({ ...wanted, expiresAt: expiresAt.toISOString() })
    const { text, ...key } = await rotate(old.id, 60)
    const same = { ...wanted, expiresAt, name: 'Shop', createdBy }
    expect(key).toMatchObject({ ...same, replacesId: old.id })
    expect(text).not.toBe(old.text)
    expect(key.id).not.toBe(old.id)
    await expect(authenticate(text, merchantService, '192.0.2.1')).rejects.toThrow()
  })

  it('is not made to live longer by its overlap', async () => {
    const expiresAt = addSeconds(clock.now(), 60)
    const old = await create({ expiresAt: expiresAt.toISOString() })
    await rotate(old.id, 3600)
    clock.set(expiresAt)
    expect(await works(old.text)).toBe(false)
  })

  it('is written into the audit log, with its successor and its end', async () => {
    const expiresAt = addSeconds(clock.now(), 86_400)
    const old = await create({ expiresAt: expiresAt.toISOString() })
    const { id } = await rotate(old.id, 60)
    expect(await acts()).toMatchObject([
      { action: 'api_key.create', objectId: old.id },
      {
        action: 'api_key.rotate',
        objectId: id,
        detail: { service: 'merchant', replaces: old.id, overlap_seconds: 60 },
      },
      {
        action: 'api_key.set_expiry',
        objectId: old.id,
        detail: {
          expires_at: addSeconds(clock.now(), 60).toISOString(),
          expired_at_before: expiresAt.toISOString(),
        },
      },
    ])
  })

  it('must be alive and of this business', async () => {
    const revoked = await create()
    await revoke(revoked.id)
    await expect(rotate(revoked.id, 60)).rejects.toMatchObject({ kind: 'invalid_request' })
    const expired = await create({ expiresAt: addSeconds(clock.now(), 1).toISOString() })
    clock.advance(1000)
    await expect(rotate(expired.id, 60)).rejects.toMatchObject({ kind: 'invalid_request' })
    const good = await create()
    actor = { ...actor, businessId: await world().business() }
    await expect(rotate(good.id, 60)).rejects.toMatchObject({ kind: 'not_found' })
    expect(await works(good.text)).toBe(true)
  })
})

describe('a revoked key', () => {
  it('works no longer, and its successor still does', async () => {
    const old = await create()
    const successor = await rotate(old.id, 3600)
    await revoke(old.id)
    expect([await works(old.text), await works(successor.text)]).toEqual([false, true])
  })

  it('is revoked once, however often that is asked', async () => {
    const { id } = await create()
    await revoke(id)
    const [first] = await listApiKeys(world().database.sql, actor.businessId)
    clock.advance(5000)
    await revoke(id)
    const [second] = await listApiKeys(world().database.sql, actor.businessId)
    expect(second?.revokedAt).toEqual(first?.revokedAt)
    expect((await acts()).map(({ action }) => action)).toEqual(['api_key.create', 'api_key.revoke'])
  })

  it('is in the audit log of the key’s environment, wherever the person who revokes it works', async () => {
    const { id } = await create({}, { ...actor, environment: 'test' })
    await revoke(id)
    const rows = await world().database.sql`
      select environment
      from kernel.audit_log
      where business_id = ${actor.businessId}
        and action = 'api_key.revoke'`
    expect(rows).toEqual([{ environment: 'test' }])
  })

  it('must be a key of this business', async () => {
    const { id, text } = await create()
    actor = { ...actor, businessId: await world().business() }
    await expect(revoke(id)).rejects.toMatchObject({ kind: 'not_found' })
    expect(await works(text)).toBe(true)
  })
})

describe('the list of keys', () => {
  it('tells the state of each, to everybody in the business', async () => {
    const active = await create()
    const revoked = await create()
    await revoke(revoked.id)
    const expired = await create({ expiresAt: addSeconds(clock.now(), 1).toISOString() })
    clock.advance(1000)
    const viewer = { ...actor, kind: 'person', personId: createdBy, role: 'viewer' } as const
    const keys = await runOperation(access.listApiKeys, world().context, viewer, {})
    expect(keys.map(({ id, state }) => ({ id, state }))).toEqual([
      { id: active.id, state: 'active' },
      { id: revoked.id, state: 'revoked' },
      { id: expired.id, state: 'expired' },
    ])
  })
})

describe('an authenticator', () => {
  it('asks the database once for a busy key, and again before a second has passed', async () => {
    const { id, text } = await create()
    const authenticator = createAuthenticator(world().context)
    const ask = () => authenticator.authenticate(merchantService, `Bearer ${text}`, '127.0.0.1')
    await ask()
    await world().database.sql`
      update kernel.api_keys
      set scopes = ${['kyc:read']}
      where business_id = ${actor.businessId}
        and id = ${id}`
    expect([...(await ask()).scopes]).toEqual(['payments:read'])
    clock.advance(999)
    expect([...(await ask()).scopes]).toEqual(['kyc:read'])
  })

  it('does not ask the database about a key with a wrong checksum', async () => {
    const { text } = await create()
    const closed = { ...world().context, database: { ...world().database, sql: failing } }
    const authenticator = createAuthenticator(closed as never)
    const wrong = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
    const ask = (key: string) =>
      authenticator.authenticate(merchantService, `Bearer ${key}`, '127.0.0.1')
    await expect(ask(wrong)).rejects.toMatchObject({ kind: 'authentication_failed' })
    await expect(ask(text)).rejects.toThrow('the database was asked')
  })

  it('takes a cached key only for the service that it belongs to', async () => {
    const { text } = await create()
    const authenticator = createAuthenticator(world().context)
    await authenticator.authenticate(merchantService, `Bearer ${text}`, '127.0.0.1')
    await expect(
      authenticator.authenticate(booksService, `Bearer ${text}`, '127.0.0.1'),
    ).rejects.toMatchObject({
      kind: 'authentication_failed',
      // As before it was ever used.
      message: expect.stringContaining('for another service'),
    })
  })

  it('writes when a key was last used only when it is told to, and never an earlier time', async () => {
    const { text } = await create()
    const lastUsed = async () =>
      (await listApiKeys(world().database.sql, actor.businessId))[0]?.lastUsedAt
    const authenticator = createAuthenticator(world().context)
    await authenticator.authenticate(merchantService, `Bearer ${text}`, '127.0.0.1')
    expect(await lastUsed()).toBeNull()
    const used = clock.now()
    await authenticator.flushLastUsed()
    expect(await lastUsed()).toEqual(used)
    clock.set(addSeconds(used, -60))
    await authenticator.authenticate(merchantService, `Bearer ${text}`, '127.0.0.1')
    await authenticator.flushLastUsed()
    expect(await lastUsed()).toEqual(used)
    clock.set(used)
  })

  it('keeps for the next time what it could not write', async () => {
    const { sql } = world().database
    const first = await create()
    const second = await create()
    const authenticator = createAuthenticator(world().context)
    for (const { text } of [first, second]) {
      await authenticator.authenticate(merchantService, `Bearer ${text}`, '127.0.0.1')
    }
    const used = clock.now()
    await sql`alter table kernel.api_keys rename column last_used_at to hidden`
    await expect(authenticator.flushLastUsed()).rejects.toThrow('last_used_at')
    await sql`alter table kernel.api_keys rename column hidden to last_used_at`
    await authenticator.flushLastUsed()
    const keys = await listApiKeys(sql, actor.businessId)
    expect(keys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([used, used])
  })
})

function failing(): never {
  throw new Error('the database was asked')
}
