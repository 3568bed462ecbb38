import { getAuthTables } from 'better-auth/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuth } from '../../../src/kernel/auth/people-auth.ts'
import { hashPassword, verifyPassword } from '../../../src/kernel/auth/person-password.ts'
import { createSecrets } from '../../../src/kernel/auth/secrets.ts'
import { deleteSessionsOfPerson } from '../../../src/kernel/auth/session-store.ts'
import { createDatabase, databaseForThisTest, type TestDatabase } from '../../support/database.ts'
import {
  browser,
  freezeTime,
  type PeopleWorld,
  password,
  peopleWorld,
  person,
  secretsKey,
  signedIn,
} from '../../support/people.ts'

let database: TestDatabase
let world: PeopleWorld

beforeAll(async () => {
  database = await createDatabase()
  world = await peopleWorld(database)
})
afterAll(() => database.drop())

async function business(name: string): Promise<string> {
  const id = world.context.ids.uuid()
  await database.sql`
    insert into kernel.businesses ${database.sql({
      id,
      name,
      isDemo: true,
      createdAt: world.context.clock.now(),
    })}`
  return id
}

describe('creating a person', () => {
  test('keeps the password as argon2id and the second factor encrypted', async () => {
    const email = 'ada@example.com'
    const who = await world.people.createPerson({ email, name: 'Ada', password, totp: true })
    const [row] = await database.sql<{ password: string; secret: string; backupCodes: string }[]>`
      select credentials.password,
        encode(two_factors.secret_sealed, 'escape') as secret,
        encode(two_factors.backup_codes_sealed, 'escape') as backup_codes
      from kernel.credentials
      join kernel.two_factors on two_factors.person_id = credentials.person_id
      where credentials.person_id = ${who.personId}`
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
    expect(row?.password).not.toContain(password)
    expect(row?.secret).not.toContain(who.totpSecret)
    expect(row?.backupCodes).not.toContain(who.backupCodes?.[0])
    expect(who.totpSecret).toMatch(/^[A-Z2-7]{52}$/)
    expect(new Set(who.backupCodes).size).toBe(10)
  })

  test('writes the e-mail address in lower case and refuses a second account for it', async () => {
    const email = 'Grace@Example.com'
    await world.people.createPerson({ email, name: 'Grace', password })
    const again = world.people.createPerson({ email: 'grace@example.COM', name: 'G', password })
    await expect(again).rejects.toMatchObject({ name: 'Fault', kind: 'conflict' })
    const rows = await database.sql`select email from kernel.people where name = 'Grace'`
    expect(rows).toMatchObject([{ email: 'grace@example.com' }])
  })

  test.each([
    ['an address that is none', { email: 'no-one', name: 'N', password }],
    ['an empty name', { email: 'n@example.com', name: ' ', password }],
    ['a name of two lines', { email: 'n@example.com', name: 'N\nN', password }],
    ['a short password', { email: 'n@example.com', name: 'N', password: 'short-one' }],
    ['an endless password', { email: 'n@example.com', name: 'N', password: 'x'.repeat(257) }],
  ])('refuses %s', async (_, wanted) => {
    const creating = world.people.createPerson(wanted)
    await expect(creating).rejects.toMatchObject({ name: 'Fault', kind: 'invalid_request' })
  })
})

describe('passwords', () => {
  test('are recognised however their accents were typed', async () => {
    const hash = await hashPassword(world.context.ids, 'caf\u00e9 au lait')
    expect(await verifyPassword(hash, 'cafe\u0301 au lait')).toBe(true)
    expect(await verifyPassword(hash, 'cafe au lait')).toBe(false)
  })

  test('keep working when the costs are raised later', async () => {
    // Made by the reference implementation, with lower costs: `correct horse battery`,
    // m=256, t=1, p=2.
    const hash =
      '$argon2id$v=19$m=256,t=1,p=2$c29tZXNhbHRzb21lc2FsdA$6RaJ1kUKVTUJjGkbSkzaaXobJ02+ZrvUQ63gKhl1MRU'
    expect(await verifyPassword(hash, password)).toBe(true)
  })
})

describe('memberships', () => {
  test('are listed for a person with the name of each business', async () => {
    const who = await person(world)
    const first = await business('Zebra Ltd')
    const second = await business('Apple Ltd')
    await database.transaction(async (tx) => {
      await world.people.addMembership(tx, first, who.personId, 'owner')
      await world.people.addMembership(tx, second, who.personId, 'viewer')
    })
    expect(await world.people.listMemberships(who.personId)).toEqual([
      { businessId: second, businessName: 'Apple Ltd', role: 'viewer' },
      { businessId: first, businessName: 'Zebra Ltd', role: 'owner' },
    ])
  })

  test('are written into the audit log, with who added them', async () => {
    const who = await person(world)
    const businessId = await business('Audited Ltd')
    const actor = { kind: 'system', name: 'test', businessId, environment: 'live' } as const
    await database.transaction((tx) =>
      world.people.addMembership(tx, businessId, who.personId, 'approver', actor),
    )
    expect(
      await database.sql`
        select actor_id, action, object_kind, object_id, detail
        from kernel.audit_log
        where business_id = ${businessId}`,
    ).toMatchObject([
      {
        actorId: 'test',
        action: 'membership.create',
        objectKind: 'person',
        objectId: who.personId,
        detail: { role: 'approver' },
      },
    ])
  })

  test('are one for each person and business', async () => {
    const who = await person(world)
    const id = await business('Once Ltd')
    const add = () =>
      database.transaction((tx) => world.people.addMembership(tx, id, who.personId, 'member'))
    await add()
    await expect(add()).rejects.toMatchObject({ code: '23505' })
  })
})

describe('a session', () => {
  test('ends after twelve hours without use, and its row goes', async () => {
    const time = freezeTime()
    const visitor = await signedIn(world, await person(world))
    time.advance(12 * 3600 - 1)
    const session = await world.people.findSession(visitor.headers())
    expect(session).toBeDefined()
    time.advance(12 * 3600)
    expect(await world.people.findSession(visitor.headers())).toBeUndefined()
    const rows = await database.sql`
      select id from kernel.sessions where id = ${session?.sessionId ?? ''}`
    expect(rows).toHaveLength(0)
  })

  test('lives on while it is used, but not beyond a week', async () => {
    const time = freezeTime()
    const visitor = await signedIn(world, await person(world))
    for (let hours = 0; hours < 6 * 24; hours += 8) {
      time.advance(8 * 3600)
      expect(await world.people.findSession(visitor.headers())).toBeDefined()
    }
    time.advance(11 * 3600)
    expect(await world.people.findSession(visitor.headers())).toBeDefined()
    time.advance(11 * 3600)
    expect(await world.people.findSession(visitor.headers())).toBeDefined()
    time.advance(2 * 3600 + 1)
    expect(await world.people.findSession(visitor.headers())).toBeUndefined()
  })

  test('knows when the second factor was proven', async () => {
    freezeTime()
    const visitor = await signedIn(world, await person(world))
    expect(await world.people.findSession(visitor.headers())).toMatchObject({
      secondFactor: 'proven',
      secondFactorAt: new Date(),
    })
  })

  test('of a person without a second factor says that it is missing', async () => {
    const visitor = await signedIn(world, await person(world, { totp: false }))
    expect(await world.people.findSession(visitor.headers())).toMatchObject({
      secondFactor: 'missing',
      secondFactorAt: null,
    })
  })

  test('is not found with a changed cookie', async () => {
    const visitor = await signedIn(world, await person(world))
    const [name = '', value = ''] = [...visitor.cookies][0] ?? []
    const token = value.split('.')[0]
    visitor.cookies.set(name, `${token}.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D`)
    expect(await world.people.findSession(visitor.headers())).toBeUndefined()
  })

  test('of every browser ends when the sessions of a person are removed', async () => {
    const time = freezeTime()
    const who = await person(world)
    const one = await signedIn(world, who)
    time.advance(30)
    const two = await signedIn(world, who)
    const other = await signedIn(world, await person(world))
    expect(await deleteSessionsOfPerson(database.sql, who.personId)).toBe(2)
    expect(await world.people.findSession(one.headers())).toBeUndefined()
    expect(await world.people.findSession(two.headers())).toBeUndefined()
    expect(await world.people.findSession(other.headers())).toBeDefined()
  })
})

describe('password and code together', () => {
  test('say who it is, and leave no session behind', async () => {
    const who = await person(world)
    const proof = await world.people.verifyPasswordAndCode(who.email, password, who.code())
    expect(proof).toEqual({ personId: who.personId })
    const rows = await database.sql`
      select id from kernel.sessions where person_id = ${who.personId}`
    expect(rows).toHaveLength(0)
  })

  test('are refused when either is wrong, or when there is no second factor', async () => {
    const who = await person(world)
    const verify = world.people.verifyPasswordAndCode
    expect(await verify(who.email, 'another password', who.code())).toBeUndefined()
    expect(await verify(who.email, password, '000000')).toBeUndefined()
    const plain = await person(world, { totp: false })
    expect(await verify(plain.email, password, '')).toBeUndefined()
    const rows = await database.sql`
      select id from kernel.sessions where person_id in (${who.personId}, ${plain.personId})`
    expect(rows).toHaveLength(0)
  })

  test('say of a used code that it was used, only beside the right password', async () => {
    freezeTime()
    const who = await person(world)
    const verify = world.people.verifyPasswordAndCode
    expect(await verify(who.email, password, who.code())).toBeDefined()
    await expect(verify(who.email, password, who.code())).rejects.toThrow(
      'This code was already used. Wait for the next one.',
    )
    expect(await verify(who.email, 'another password', who.code())).toBeUndefined()
  })
})

test('a new key in front of the ring locks no one out', async () => {
  const who = await person(world)
  const visitor = await signedIn(world, await person(world))
  const ring: [typeof secretsKey, typeof secretsKey] = [
    { version: 2, key: Buffer.alloc(32, 9) },
    secretsKey,
  ]
  const rotated = await peopleWorld(database, { ring })
  expect(await rotated.people.findSession(visitor.headers())).toBeDefined()
  const proof = await rotated.people.verifyPasswordAndCode(who.email, password, who.code())
  expect(proof).toEqual({ personId: who.personId })
})

test('processes that start at the same moment share one secret', async () => {
  const fresh = await databaseForThisTest()
  const worlds = await Promise.all(Array.from({ length: 5 }, () => peopleWorld(fresh)))
  const [first] = worlds
  if (!first) throw new Error('there are five')
  const visitor = await signedIn(first, await person(first))
  for (const { people } of worlds) {
    expect(await people.findSession(visitor.headers())).toBeDefined()
  }
})

test('every field of better-auth has its column', async () => {
  const publicUrl = 'https://books.example'
  const secrets = createSecrets([secretsKey])
  const auth = createAuth(world.context, { publicUrl, secret: 'a'.repeat(44), secrets })
  const wanted = Object.values(getAuthTables(auth.options)).flatMap(({ modelName, fields }) =>
    ['id', ...Object.entries(fields).map(([name, field]) => field.fieldName ?? name)].map(
      (field) => `${modelName}.${field}`,
    ),
  )
  const rows = await database.sql<{ tableName: string; columnName: string }[]>`
    select table_name, column_name
    from information_schema.columns
    where table_schema = 'kernel'`
  const columns = new Set(rows.map((row) => `${row.tableName}.${row.columnName}`))
  expect(wanted.length).toBeGreaterThan(30)
  expect(wanted.filter((name) => !columns.has(name))).toEqual([])
})

test('a plain http address gets a cookie that a browser keeps without encryption', async () => {
  const local = await peopleWorld(database, { publicUrl: 'http://192.0.2.7:4000' })
  const visitor = browser(local)
  const who = await person(local)
  const answer = await visitor.post('/sign-in', { email: who.email, password })
  const lines = [answer.headers?.['set-cookie'] ?? []].flat()
  expect(lines.join('\n')).toContain('tillbook.two_factor=')
  expect(lines.join('\n')).not.toMatch(/__Host-|Secure/)
})
