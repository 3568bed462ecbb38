// Books with a million entries, created by the database itself within a minute. The hash chain is
// left out, because no report reads it. Three lines per entry, over five years and most accounts of
// the chart.
import { createBusiness } from '../src/app/create-business.ts'
import { systemClock } from '../src/kernel/basics/clock.ts'
import { createFailpoint } from '../src/kernel/basics/failpoint.ts'
import { systemIds } from '../src/kernel/basics/id.ts'
import { createLog } from '../src/kernel/basics/log.ts'
import type { Tenant } from '../src/kernel/basics/tenant.ts'
import { connect, type Database, type Sql, type Tx } from '../src/kernel/db/database.ts'

export async function insertBooks(url: string, entries: number): Promise<Tenant> {
  const database = connect({ url, poolSize: 1, withoutTimeLimits: true })
  const businessId = await newBusiness(database)
  await insertJournal(database.sql, businessId, entries)
  await database.close()
  return { businessId, environment: 'live' }
}

function newBusiness(database: Database): Promise<string> {
  const clock = systemClock
  const ids = systemIds(clock)
  const log = createLog('error')
  const context = { clock, ids, log, database, failpoint: createFailpoint() }
  return database.transaction((tx) =>
    createBusiness(tx, context, 'bench', {
      name: 'Bench',
      country: 'NG',
      baseCurrency: 'EUR',
      contactEmail: 'owner@example.com',
      contactPhone: null,
      kycStatus: 'verified',
      isDemo: true,
    }),
  )
}

async function insertJournal(sql: Sql, businessId: string, entries: number): Promise<void> {
  await sql.begin(async (tx) => {
    // Skips foreign key checks: all lines name existing accounts, and checking them would take
    // millions of lookups.
    await tx`set local session_replication_role = replica`
    const indexes = await dropIndexes(tx)
    await tx`
      insert into books.journal_entries (
        business_id, environment, sequence, id, kind, source_id, date, description, line_count,
        posted_by_kind, posted_by, posted_at, hash
      )
      select ${businessId}, 'live', n, gen_random_uuid(), 'journal.posted', gen_random_uuid(),
        date '2021-01-01' + (n % 1826)::int, 'Entry ' || n, 3, 'system', 'bench', now(),
        decode(repeat('00', 32), 'hex')
      from generate_series(1, ${entries}::int) as n`
    await tx`
      with account as (
        select array_agg(id order by code) filter (where type = 'asset') as assets,
          array_agg(id order by code) filter (where type = 'income') as incomes,
          array_agg(id order by code) filter (where type in ('liability', 'expense')) as others
        from books.accounts
        where business_id = ${businessId} and environment = 'live'
      )
      insert into books.journal_lines (
        business_id, environment, sequence, position, date, account_id, base_minor, currency,
        amount_minor
      )
      select ${businessId}, 'live', n, position, date '2021-01-01' + (n % 1826)::int,
        case position
          when 1 then assets[1 + n % cardinality(assets)]
          when 2 then incomes[1 + n % cardinality(incomes)]
          else others[1 + n % cardinality(others)]
        end,
        amount, 'EUR', amount
      from account
      cross join generate_series(1, ${entries}::int) as n
      cross join lateral (
        values (1, 120 + n % 1000), (2, -100 - n % 1000), (3, -20)
      ) as line (position, amount)`
    for (const definition of indexes) await tx.unsafe(definition)
    await sumJournal(tx, businessId)
    await tx`
      update books.journal_heads
      set sequence = ${entries}
      where business_id = ${businessId} and environment = 'live'`
  })
  await sql`analyze books.journal_entries, books.journal_lines, books.account_days, books.account_months`
}

// The sums by day and month, of all lines.
export async function sumJournal(tx: Tx, businessId: string): Promise<void> {
  await tx`
    insert into books.account_days (business_id, environment, date, account_id, base_minor)
    select business_id, environment, date, account_id, sum(base_minor)
    from books.journal_lines
    where business_id = ${businessId}
    group by business_id, environment, date, account_id`
  await tx`
    insert into books.account_months (business_id, environment, month, account_id, base_minor)
    select business_id, environment, date_trunc('month', date)::date, account_id, sum(base_minor)
    from books.account_days
    where business_id = ${businessId}
    group by business_id, environment, date_trunc('month', date)::date, account_id`
}

// Creating the indexes once at the end is several times faster. Returns the statements that create
// them.
async function dropIndexes(tx: Tx): Promise<string[]> {
  const indexes = await tx<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition
    from pg_indexes
    where schemaname = 'books'
      and tablename in ('journal_entries', 'journal_lines')
      and indexdef not like 'CREATE UNIQUE%'`
  for (const { name } of indexes) await tx`drop index ${tx(`books.${name}`)}`
  return indexes.map(({ definition }) => definition)
}
