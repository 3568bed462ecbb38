// The migration of a database from before every key had a creator.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Database } from '../../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../../src/kernel/db/migrate.ts'
import { manualClock } from '../../support/clock.ts'
import { administer, serverUrl } from '../../support/database.ts'

const clock = manualClock()
const migrations = readMigrations('migrations')
const before = migrations.slice(0, 9)
const now = clock.now()

async function databaseBefore(): Promise<Database> {
  const name = `before_${randomUUID().replaceAll('-', '')}`
  await administer((sql) => sql`create database ${sql(name)} template template0`)
  const database = connect({ url: serverUrl(name), poolSize: 2 })
  onTestFinished(async () => {
    await database.close()
    await administer((sql) => sql`drop database ${sql(name)} with (force)`)
  })
  await migrate(database.sql, before, clock)
  return database
}

async function business({ sql }: Database): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into kernel.businesses
    ${sql({ id, name: 'Corner shop', isDemo: false, createdAt: now })}`
  return id
}

async function member(
  { sql }: Database,
  businessId: string,
  role: string,
  joined: string,
): Promise<string> {
  const id = randomUUID()
  const person = { id, email: `${id}@example.com`, name: 'Ada Example', emailVerified: true }
  await sql`
    insert into kernel.people
    ${sql({ ...person, twoFactorEnabled: false, createdAt: now, updatedAt: now })}`
  const createdAt = new Date(joined)
  await sql`insert into kernel.memberships ${sql({ businessId, personId: id, role, createdAt })}`
  return id
}

async function key({ sql }: Database, businessId: string, createdBy: string | null) {
  const id = randomUUID()
  const text = { service: 'books', environment: 'live', name: 'Till', hint: 'svc_live_…abcd' }
  const lists = { scopes: ['read'], allowedAddresses: [] as string[] }
  const secretHash = Buffer.alloc(32, id)
  await sql`
    insert into kernel.api_keys
    ${sql({ businessId, id, ...text, ...lists, secretHash, createdBy, createdAt: now })}`
  return id
}

async function creatorOf({ sql }: Database, id: string): Promise<string | undefined> {
  const [row] = await sql<{ createdBy: string }[]>`
    select created_by
    from kernel.api_keys
    where id = ${id}`
  return row?.createdBy
}

test('a key that no one made gets the first owner of its business', async () => {
  const database = await databaseBefore()
  const shop = await business(database)
  await member(database, shop, 'admin', '2025-01-01')
  await member(database, shop, 'owner', '2025-03-01')
  const first = await member(database, shop, 'owner', '2025-02-01')
  const admin = await member(database, shop, 'admin', '2025-04-01')
  const other = await business(database)
  const otherOwner = await member(database, other, 'owner', '2024-01-01')
  const nobodys = await key(database, shop, null)
  const gone = await key(database, shop, randomUUID())
  const admins = await key(database, shop, admin)
  const others = await key(database, other, null)

  await migrate(database.sql, migrations, clock)

  expect(await creatorOf(database, nobodys)).toBe(first)
  expect(await creatorOf(database, gone)).toBe(first)
  expect(await creatorOf(database, admins)).toBe(admin)
  expect(await creatorOf(database, others)).toBe(otherOwner)
})

test('a business with such keys and no owner is named, and nothing is changed', async () => {
  const database = await databaseBefore()
  const shop = await business(database)
  await member(database, shop, 'admin', '2025-01-01')
  const id = await key(database, shop, null)

  await expect(migrate(database.sql, migrations, clock)).rejects.toThrow(
    `no owner to answer for them: ${shop}.`,
  )
  expect(await creatorOf(database, id)).toBeNull()

  await member(database, shop, 'owner', '2025-01-01')
  await migrate(database.sql, migrations, clock)
})

test('what such a key asked for was asked for by that owner, unless it is decided', async () => {
  const database = await databaseBefore()
  const shop = await business(database)
  const owner = await member(database, shop, 'owner', '2025-02-01')
  const asking = await key(database, shop, null)
  const { sql } = database
  await sql`
    insert into merchant.profiles ${sql({
      ...{ businessId: shop, country: 'NG', contactEmail: 'shop@example.com' },
      ...{ kycStatus: 'verified', createdAt: now, updatedAt: now },
    })}`
  for (const [state, decidedBy] of [['pending', null] as const, ['approved', owner] as const]) {
    const decidedAt = decidedBy && now
    const asked = { operation: 'refund', objectId: randomUUID(), requestHash: Buffer.alloc(32) }
    const by = { requestedByKind: 'key', requestedBy: asking, decidedBy, decidedAt }
    await sql`
      insert into merchant.approvals ${sql({
        ...{
          businessId: shop,
          environment: 'live',
          id: randomUUID(),
          state,
          request: sql.json({}),
        },
        ...asked,
        ...by,
        ...{ expiresAt: now, createdAt: now },
      })}`
  }

  await migrate(sql, migrations, clock)

  const rows = await sql`
    select state, requester_person_id
    from merchant.approvals
    order by state`
  expect(rows).toEqual([
    { state: 'approved', requesterPersonId: null },
    { state: 'pending', requesterPersonId: owner },
  ])
})

test('afterwards the database refuses a key without a creator, or with a made-up one', async () => {
  const database = await databaseBefore()
  await migrate(database.sql, migrations, clock)
  const shop = await business(database)
  await expect(key(database, shop, null)).rejects.toThrow('"created_by"')
  await expect(key(database, shop, randomUUID())).rejects.toThrow('foreign key')
})
