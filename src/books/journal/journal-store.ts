// The statements of the journal. `insertEntry` must stay one statement: the entry, its lines, the
// sums of months and days and the new head appear together.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { JournalLine, StoredEntry } from './journal-entry.ts'

export type JournalHead = { readonly sequence: bigint; readonly hash: Uint8Array }

export async function lockHead(tx: Tx, tenant: Tenant): Promise<JournalHead> {
  const [row] = await tx<JournalHead[]>`
    select sequence, hash
    from books.journal_heads
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    for update`
  return assertDefined(row, 'books without a journal')
}

export async function insertHead(tx: Tx, tenant: Tenant, hash: Uint8Array): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.journal_heads ${tx({ businessId, environment, sequence: 0n, hash })}`
}

// The statement itself refuses an unbalanced entry: it inserts nothing and returns zero. The caller
// asserts the count.
export async function insertEntry(tx: Tx, tenant: Tenant, entry: StoredEntry): Promise<number> {
  const { lines } = entry
  const [inserted] = await tx<{ lineCount: number }[]>`
    with line as (
      ${listed(tx, lines)}
    ),
    entry as (
      insert into books.journal_entries as added (
        business_id, environment, sequence, id, kind, source_id, reverses_sequence, date,
        description, line_count, posted_by_kind, posted_by, posted_at, hash
      )
      select
        ${tenant.businessId}::uuid,
        ${tenant.environment},
        ${entry.sequence}::bigint,
        ${entry.id}::uuid,
        ${entry.kind},
        ${entry.sourceId}::uuid,
        ${entry.reversesSequence}::bigint,
        ${entry.date}::date,
        ${entry.description},
        ${lines.length}::integer,
        ${entry.postedByKind},
        ${entry.postedBy},
        ${entry.postedAt}::timestamptz,
        ${entry.hash}::bytea
      where (select sum(base_minor) from line) = 0
      returning added.sequence, added.date
    ),
    booked as (
      insert into books.journal_lines as added (
        business_id, environment, sequence, position, date, account_id, base_minor, currency,
        amount_minor, contact_id, open_item_id, tax_code_id, description
      )
      select
        ${tenant.businessId}::uuid,
        ${tenant.environment},
        entry.sequence,
        line.position::integer,
        entry.date,
        line.account_id,
        line.base_minor,
        line.currency,
        line.amount_minor,
        line.contact_id,
        line.open_item_id,
        line.tax_code_id,
        line.description
      from entry
      cross join line
      returning added.date, added.account_id, added.base_minor
    ),
    moved as (
      select date, account_id, sum(base_minor)::bigint as base_minor
      from booked
      group by date, account_id
    ),
    ${sums(tx, tenant)},
    head as (
      update books.journal_heads
      set sequence = entry.sequence,
        hash = ${entry.hash}::bytea
      from entry
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
    )
    select count(*)::integer as line_count
    from booked`
  return inserted?.lineCount ?? 0
}

function listed(tx: Tx, lines: readonly JournalLine[]) {
  return tx`
    select *
    from unnest(
      ${lines.map((line) => line.accountId)}::uuid[],
      ${lines.map((line) => line.baseMinor)}::bigint[],
      ${lines.map((line) => line.currency)}::text[],
      ${lines.map((line) => line.amountMinor)}::bigint[],
      ${lines.map((line) => line.contactId)}::uuid[],
      ${lines.map((line) => line.openItemId)}::uuid[],
      ${lines.map((line) => line.taxCodeId)}::uuid[],
      ${lines.map((line) => line.description)}::text[]
    ) with ordinality as line (
      account_id, base_minor, currency, amount_minor, contact_id, open_item_id, tax_code_id,
      description, position
    )`
}

// Adds the amounts to the sums of their month and day.
function sums(tx: Tx, tenant: Tenant) {
  return tx`
    months as (
      insert into books.account_months (business_id, environment, month, account_id, base_minor)
      select
        ${tenant.businessId}::uuid,
        ${tenant.environment},
        date_trunc('month', date)::date,
        account_id,
        base_minor
      from moved
      on conflict (business_id, environment, month, account_id)
        do update set base_minor = account_months.base_minor + excluded.base_minor
    ),
    days as (
      insert into books.account_days (business_id, environment, date, account_id, base_minor)
      select ${tenant.businessId}::uuid, ${tenant.environment}, date, account_id, base_minor
      from moved
      on conflict (business_id, environment, date, account_id)
        do update set base_minor = account_days.base_minor + excluded.base_minor
    )`
}

export type PostedEntry = {
  readonly sequence: bigint
  readonly kind: string
  readonly sourceId: string
  readonly date: string
  readonly lines: readonly JournalLine[]
}

export async function findEntry(
  sql: Sql | Tx,
  tenant: Tenant,
  sequence: bigint,
): Promise<PostedEntry> {
  const [entry] = await sql<Omit<PostedEntry, 'lines'>[]>`
    select sequence, kind, source_id, date
    from books.journal_entries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and sequence = ${sequence}`
  const lines = await sql<JournalLine[]>`
    select
      account_id, base_minor, currency, amount_minor, contact_id, open_item_id, tax_code_id,
      description
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and sequence = ${sequence}
    order by position`
  return { ...assertDefined(entry, 'no such journal entry'), lines }
}

// All entries about one object that are neither reversed nor reversals.
export async function listUnreversedEntries(
  tx: Tx,
  tenant: Tenant,
  sourceId: string,
): Promise<{ sequence: bigint; kind: string }[]> {
  return tx<{ sequence: bigint; kind: string }[]>`
    select entry.sequence, entry.kind
    from books.journal_entries as entry
    left join books.journal_entries as reversal
      on reversal.business_id = entry.business_id
      and reversal.environment = entry.environment
      and reversal.reverses_sequence = entry.sequence
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.source_id = ${sourceId}
      and entry.reverses_sequence is null
      and reversal.sequence is null
    order by entry.sequence`
}

// The last entry of a kind about one object.
export async function findSequenceOf(
  sql: Sql | Tx,
  tenant: Tenant,
  sourceId: string,
  kind: string,
): Promise<bigint | undefined> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence
    from books.journal_entries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and source_id = ${sourceId}
      and kind = ${kind}
    order by sequence desc
    limit 1`
  return row?.sequence
}
