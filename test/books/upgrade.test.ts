// What a migration does to existing books.
import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { booksInvariants } from '../../src/books/invariants.ts'
import { connect, type Sql } from '../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { shardOf } from '../../src/kernel/jobs/job.ts'
import { manualClock } from '../support/clock.ts'
import { administer, serverUrl } from '../support/database.ts'

const migrations = readMigrations('migrations')
const clock = manualClock()

async function databaseUpTo(number: number): Promise<Sql> {
  const name = `old_${randomUUID().replaceAll('-', '')}`
  await administer((sql) => sql`create database ${sql(name)} template template0`)
  const { sql, close } = connect({ url: serverUrl(name), poolSize: 2 })
  onTestFinished(async () => {
    await close()
    await administer((admin) => admin`drop database ${admin(name)} with (force)`)
  })
  await migrate(sql, migrations.slice(0, number), clock)
  return sql
}

const upgrade = (sql: Sql) => migrate(sql, migrations, clock)

// A business with books and, by code, the accounts that it has.
async function business(sql: Sql, accounts: readonly object[]) {
  const businessId = randomUUID()
  const tenant = { businessId, environment: 'live' } as const
  const createdAt = clock.now()
  await sql`insert into kernel.businesses ${sql({
    ...{ id: businessId, name: 'Corner shop', isDemo: false, createdAt },
  })}`
  await sql`insert into books.organisations ${sql({
    ...tenant,
    baseCurrency: 'EUR',
    defaultPaymentTermsDays: 30,
    createdAt,
  })}`
  const ids: string[] = []
  for (const account of accounts) {
    const id = randomUUID()
    ids.push(id)
    await sql`insert into books.accounts ${sql({
      ...tenant,
      id,
      isSystem: false,
      active: true,
      createdAt,
      ...account,
    })}`
  }
  return { tenant, ids }
}

const sales = { code: '4000', name: 'Sales', type: 'income', subtype: 'sales' }
const office = { code: '6300', name: 'Office', type: 'expense', subtype: 'operating_expense' }

it('books without default accounts get those of the default chart, where they have them', async () => {
  const sql = await databaseUpTo(26)
  const both = await business(sql, [sales, office])
  const retired = await business(sql, [{ ...sales, active: false }, office])
  const other = await business(sql, [{ ...sales, subtype: 'other_income' }])
  const own = await business(sql, [sales, { ...sales, code: '4001' }])
  await sql`
    update books.organisations
    set default_sales_account_id = ${own.ids[1] ?? ''}
    where business_id = ${own.tenant.businessId}`
  await upgrade(sql)
  const defaults = async ({ tenant }: typeof both) => {
    const [row] = await sql<{ sales: string; purchase: string }[]>`
      select default_sales_account_id as sales, default_purchase_account_id as purchase
      from books.organisations
      where business_id = ${tenant.businessId}`
    return [row?.sales, row?.purchase]
  }
  expect(await defaults(both)).toEqual(both.ids)
  expect(await defaults(retired)).toEqual([null, retired.ids[1]])
  expect(await defaults(other)).toEqual([null, null])
  expect(await defaults(own)).toEqual([own.ids[1], null])
})

it('stored files get their hash, and documents issued without one are queued for drawing', async () => {
  const sql = await databaseUpTo(26)
  const { tenant } = await business(sql, [])
  const contactId = randomUUID()
  const createdAt = clock.now()
  await sql`insert into books.contacts ${sql({
    ...tenant,
    id: contactId,
    name: 'Ada',
    isCustomer: true,
    isSupplier: false,
    paymentTermsDays: 0,
    active: true,
    createdAt,
  })}`
  const document = async (position: number, isIssued: boolean) => {
    const id = randomUUID()
    await sql`insert into books.documents ${sql({
      ...{ ...tenant, id, kind: 'invoice', status: isIssued ? 'posted' : 'draft', contactId },
      ...{ date: '2026-01-01', dueDate: '2026-01-01', currency: 'EUR', fxRate: '1' },
      ...{ taxRounding: 'line', subtotalMinor: 0, taxTotalMinor: 0, totalMinor: 0 },
      ...{ createdByKind: 'system', createdBy: 'test', createdAt, updatedAt: createdAt },
      ...(isIssued && {
        ...{ number: `I${position}`, numberPeriod: '', numberPosition: position },
        ...{ postedAt: createdAt, snapshot: sql.json({ version: 1 }) },
      }),
    })}`
    return id
  }
  const [kept, undrawn] = [await document(1, true), await document(2, true)]
  await document(3, false)
  await sql`insert into books.document_files ${sql({
    ...tenant,
    documentId: kept,
    content: Buffer.from('%PDF-1'),
    createdAt,
  })}`
  await upgrade(sql)
  const [file] = await sql`
    select sha256 = sha256(content) as is_right
    from books.document_files`
  expect(file).toEqual({ isRight: true })
  const jobs = await sql`
    select shard, business_id, environment, kind, payload, unique_key
    from kernel.jobs`
  expect([...jobs]).toEqual([
    {
      ...tenant,
      shard: shardOf(tenant),
      kind: 'draw-document',
      payload: { documentId: undrawn },
      uniqueKey: undrawn,
    },
  ])
  for (const { id, violations } of booksInvariants.filter((one) => /^I14\.3[45]/.test(one.id))) {
    expect(await violations(sql, clock.now()), id).toEqual([])
  }
})
