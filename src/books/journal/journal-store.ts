// The statements of the journal. The entry, its lines, the sums of months and days and the new head
// are written by one transaction, under the lock of the head.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { ifSumIsZero } from '../../kernel/db/zero-sum.ts'
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

// Plain statements, sent together: on a distributed database, one statement with several inserts
// takes a detour over the coordinator. The lines are one statement, which refuses an unbalanced
// entry also where triggers are missing.
export async function insertEntry(tx: Tx, tenant: Tenant, entry: StoredEntry): Promise<void> {
  await Promise.all([
    insertHeader(tx, tenant, entry),
    insertLines(tx, tenant, entry),
    updateSums(tx, tenant, entry),
    updateHead(tx, tenant, entry),
  ])
}

async function insertHeader(tx: Tx, tenant: Tenant, entry: StoredEntry): Promise<void> {
  await tx`
    insert into books.journal_entries (
      business_id, environment, sequence, id, kind, source_id, reverses_sequence, date, description,
      line_count, posted_by_kind, posted_by, posted_at, hash
    )
    values (
      ${tenant.businessId}, ${tenant.environment}, ${entry.sequence}, ${entry.id}, ${entry.kind},
      ${entry.sourceId}, ${entry.reversesSequence}, ${entry.date}, ${entry.description},
      ${entry.lines.length}, ${entry.postedByKind}, ${entry.postedBy}, ${entry.postedAt},
      ${entry.hash}
    )`
}

// The first line is null, which the database refuses, unless all lines sum to zero.
async function insertLines(tx: Tx, tenant: Tenant, { sequence, date, lines }: StoredEntry) {
  const { businessId, environment } = tenant
  const amounts = lines.map(({ baseMinor }) => baseMinor)
  const rows = lines.map((line, index) => ({
    businessId,
    environment,
    sequence,
    position: index + 1,
    date,
    accountId: line.accountId,
    baseMinor: index === 0 ? ifSumIsZero(tx, amounts, line.baseMinor) : line.baseMinor,
    currency: line.currency,
    amountMinor: line.amountMinor,
    contactId: line.contactId,
    openItemId: line.openItemId,
    taxCodeId: line.taxCodeId,
    description: line.description,
  }))
  await tx`insert into books.journal_lines ${tx(rows)}`
}

async function updateHead(tx: Tx, tenant: Tenant, { sequence, hash }: StoredEntry): Promise<void> {
  await tx`
    update books.journal_heads
    set sequence = ${sequence},
      hash = ${hash}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
}

// Adds the amounts to the sums of their month and day.
async function updateSums(tx: Tx, tenant: Tenant, { date, lines }: StoredEntry) {
  const { businessId, environment } = tenant
  const sums = [...Map.groupBy(lines, ({ accountId }) => accountId)].map(([accountId, some]) => ({
    accountId,
    baseMinor: some.reduce((sum, { baseMinor }) => sum + baseMinor, 0n),
  }))
  const month = `${date.slice(0, 7)}-01`
  const months = sums.map((sum) => ({ businessId, environment, month, ...sum }))
  const days = sums.map((sum) => ({ businessId, environment, date, ...sum }))
  await Promise.all([
    tx`
      insert into books.account_months as stored ${tx(months)}
      on conflict (business_id, environment, month, account_id)
        do update set base_minor = stored.base_minor + excluded.base_minor`,
    tx`
      insert into books.account_days as stored ${tx(days)}
      on conflict (business_id, environment, date, account_id)
        do update set base_minor = stored.base_minor + excluded.base_minor`,
  ])
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
