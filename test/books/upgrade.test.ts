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

type Tenant = Awaited<ReturnType<typeof business>>['tenant']

async function contact(sql: Sql, tenant: Tenant): Promise<string> {
  const id = randomUUID()
  await sql`insert into books.contacts ${sql({
    ...{ ...tenant, id, name: 'Ada', isCustomer: true, isSupplier: false },
    ...{ paymentTermsDays: 0, active: true, createdAt: clock.now() },
  })}`
  return id
}

// A draft of an invoice, unless told otherwise.
async function insertDocument(
  sql: Sql,
  tenant: Tenant,
  contactId: string,
  change: object | false = {},
): Promise<string> {
  const id = randomUUID()
  const [createdAt, updatedAt] = [clock.now(), clock.now()]
  await sql`insert into books.documents ${sql({
    ...{ ...tenant, id, kind: 'invoice', status: 'draft', contactId },
    ...{ date: '2026-01-01', dueDate: '2026-01-01', currency: 'EUR', fxRate: '1' },
    ...{ taxRounding: 'line', subtotalMinor: 0, taxTotalMinor: 0, totalMinor: 0 },
    ...{ createdByKind: 'system', createdBy: 'test', createdAt, updatedAt },
    ...change,
  })}`
  return id
}

const issued = (sql: Sql, position: number) => ({
  ...{ status: 'posted', number: `I${position}`, numberPeriod: '', numberPosition: position },
  ...{ postedAt: clock.now(), snapshot: sql.json({ version: 1 }) },
})

it('stored files get their hash, and documents issued without one are queued for drawing', async () => {
  const sql = await databaseUpTo(26)
  const { tenant } = await business(sql, [])
  const contactId = await contact(sql, tenant)
  const createdAt = clock.now()
  const document = (position: number, isIssued: boolean) =>
    insertDocument(sql, tenant, contactId, isIssued && issued(sql, position))
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

it('a key of a bill no longer answers for invoices, and others stay as they are', async () => {
  const sql = await databaseUpTo(58)
  const { tenant } = await business(sql, [])
  const contactId = await contact(sql, tenant)
  const kinds = ['invoice', 'bill', 'credit_note', 'supplier_credit', 'expense_claim']
  for (const kind of kinds) {
    const objectId = await insertDocument(sql, tenant, contactId, { kind })
    const used = { operation: 'invoices', key: kind, objectId, createdAt: clock.now() }
    await sql`insert into kernel.idempotency_keys ${sql({ ...tenant, ...used })}`
  }
  const another = { operation: 'contacts', key: 'Ada', objectId: contactId }
  await sql`insert into kernel.idempotency_keys ${sql({
    ...{ ...tenant, ...another, createdAt: clock.now() },
  })}`
  await upgrade(sql)
  const keys = await sql<{ key: string; operation: string }[]>`
    select key, operation
    from kernel.idempotency_keys`
  expect(Object.fromEntries(keys.map(({ key, operation }) => [key, operation]))).toEqual({
    ...{ invoice: 'invoices', bill: 'bills', credit_note: 'credit_notes' },
    ...{ supplier_credit: 'supplier_credits', expense_claim: 'expense_claims', Ada: 'contacts' },
  })
})

it('drafts keep the rate that people saw; what is posted or voided has none that was entered', async () => {
  const sql = await databaseUpTo(59)
  const { tenant } = await business(sql, [])
  const contactId = await contact(sql, tenant)
  const foreign = { currency: 'USD', fxRate: '0.9' }
  const ids = {
    seen: await insertDocument(sql, tenant, contactId, foreign),
    unknown: await insertDocument(sql, tenant, contactId, { ...foreign, fxRate: null }),
    posted: await insertDocument(sql, tenant, contactId, { ...foreign, ...issued(sql, 1) }),
    voided: await insertDocument(sql, tenant, contactId, {
      ...{ ...foreign, status: 'void', voidedAt: clock.now() },
    }),
  }
  await upgrade(sql)
  const rows = await sql<{ id: string; fxRateStated: boolean }[]>`
    select id, fx_rate_stated
    from books.documents`
  const stated = new Map(rows.map(({ id, fxRateStated }) => [id, fxRateStated]))
  expect(Object.entries(ids).map(([name, id]) => [name, stated.get(id)])).toEqual([
    ...[['seen', true] as const, ['unknown', false] as const],
    ...[['posted', false] as const, ['voided', false] as const],
  ])
})

it('changes of due dates in the audit log become former due dates, by the day of the books', async () => {
  const sql = await databaseUpTo(60)
  const receivable = { code: '1100', name: 'Receivable', type: 'asset', subtype: 'receivable' }
  const { tenant, ids } = await business(sql, [receivable])
  await sql`
    update books.organisations
    set time_zone = 'Africa/Lagos'
    where business_id = ${tenant.businessId}`
  const contactId = await contact(sql, tenant)
  const itemId = await insertDocument(sql, tenant, contactId, issued(sql, 1))
  await sql`insert into books.open_items ${sql({
    ...{ ...tenant, id: itemId, source: 'document', accountId: ids[0] ?? '', contactId },
    ...{ currency: 'EUR', date: '2026-01-01', dueDate: '2026-03-01', fxRate: '1' },
    ...{ amountMinor: 1, baseMinor: 1, openMinor: 1, openBaseMinor: 1 },
  })}`
  const act = (action: string, objectId: string, at: string, detail: object) =>
    sql`insert into kernel.audit_log ${sql({
      ...{ ...tenant, id: randomUUID(), at: new Date(at), actorKind: 'system', actorId: 'test' },
      ...{ action, objectKind: 'document', objectId, detail: sql.json({ ...detail }) },
    })}`
  // Half past midnight in Lagos.
  const change = { from: '2026-02-01', to: '2026-03-01' }
  await act('invoice.change_due_date', itemId, '2026-01-14T23:30:00Z', change)
  await act('invoice.issue', itemId, '2026-01-01T10:00:00Z', {})
  // A bill that is not posted has no open item.
  await act('bill.change_due_date', randomUUID(), '2026-01-15T10:00:00Z', change)
  await upgrade(sql)
  const changes = await sql`
    select item_id, changed_on::text, former_due_date::text
    from books.due_date_changes`
  expect([...changes]).toEqual([{ itemId, changedOn: '2026-01-15', formerDueDate: '2026-02-01' }])
})
