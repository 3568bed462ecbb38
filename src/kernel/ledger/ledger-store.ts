// The statements of the ledger. Lines and tail are inserted by one transaction, and so appear
// together. A balance must be read in one statement and so from one snapshot, in which each line is
// in exactly one of checkpoint and tail.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import { ifSumIsZero } from '../db/zero-sum.ts'
import type { Posting } from './posting.ts'

export type AccountInCurrency = { readonly account: string; readonly currency: string }

export type Balance = AccountInCurrency & { readonly balanceMinor: bigint }

export type BookedLine = AccountInCurrency & {
  readonly entryId: string
  readonly position: number
  readonly amountMinor: bigint
  readonly kind: string
  readonly sourceId: string | null
  readonly description: string | null
  readonly createdAt: Date
}

type Amount = { readonly currency: string; readonly amountMinor: bigint }

export type LinePosition = { readonly entryId: string; readonly position: number }

// Plain statements, sent together: on a distributed database, one statement with several inserts
// takes a detour over the coordinator. The lines are one statement, which refuses an unbalanced
// entry also where triggers are missing.
export async function insertEntry(
  tx: Tx,
  tenant: Tenant,
  entry: { id: string; posting: Posting; createdAt: Date },
): Promise<void> {
  const { businessId, environment } = tenant
  const { id, createdAt } = entry
  const { kind, sourceId, description, lines } = entry.posting
  const lineCount = lines.length
  const header = { businessId, environment, id, kind, sourceId, description, lineCount, createdAt }
  const rows = lines.map((line, index) => ({
    businessId,
    environment,
    entryId: id,
    position: index + 1,
    account: line.account,
    currency: line.currency,
    amountMinor: line.amountMinor,
  }))
  await Promise.all([
    tx`insert into kernel.ledger_entries ${tx(header)}`,
    tx`insert into kernel.ledger_lines ${tx(refuseImbalance(tx, rows))}`,
    tx`insert into kernel.ledger_tail ${tx(rows)}`,
  ])
}

// The first line of each currency is null, which the database refuses, unless all lines of that
// currency sum to zero.
function refuseImbalance<Row extends Amount>(tx: Tx, rows: readonly Row[]) {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return rows.map((row) => {
    const sameCurrency = byCurrency.get(row.currency) ?? []
    if (row !== sameCurrency[0]) return row
    const amounts = sameCurrency.map(({ amountMinor }) => amountMinor)
    return { ...row, amountMinor: ifSumIsZero(tx, amounts, row.amountMinor) }
  })
}

export async function findBalance(
  tx: Tx | Sql,
  tenant: Tenant,
  { account, currency }: AccountInCurrency,
): Promise<bigint> {
  const [row] = await tx<{ balanceMinor: bigint }[]>`
    select coalesce(sum(amount_minor), 0)::bigint as balance_minor
    from (
      select balance_minor as amount_minor
      from kernel.ledger_checkpoints
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and account = ${account}
        and currency = ${currency}
      union all
      select amount_minor
      from kernel.ledger_tail
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and account = ${account}
        and currency = ${currency}
    ) as part`
  return row?.balanceMinor ?? 0n
}

export async function listBalances(tx: Tx | Sql, tenant: Tenant): Promise<readonly Balance[]> {
  return await tx<Balance[]>`
    select account, currency, sum(amount_minor)::bigint as balance_minor
    from (
      select account, currency, balance_minor as amount_minor
      from kernel.ledger_checkpoints
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      union all
      select account, currency, amount_minor
      from kernel.ledger_tail
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
    ) as part
    group by account, currency
    order by account, currency`
}

// Creates a row to lock for an account without folded lines.
export async function insertCheckpoint(
  tx: Tx,
  tenant: Tenant,
  { account, currency }: AccountInCurrency,
): Promise<void> {
  await tx`
    insert into kernel.ledger_checkpoints (
      business_id, environment, account, currency, balance_minor
    )
    values (${tenant.businessId}, ${tenant.environment}, ${account}, ${currency}, 0)
    on conflict (business_id, environment, account, currency) do nothing`
}

// Returns nothing on purpose. A statement that waited for a lock sees the new version of that row,
// but everything else as before the wait. A balance computed here would miss the lines of the
// transaction that held the lock. The next statement sees them.
export async function lockCheckpoint(
  tx: Tx,
  tenant: Tenant,
  { account, currency }: AccountInCurrency,
): Promise<void> {
  await tx`
    select
    from kernel.ledger_checkpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and account = ${account}
      and currency = ${currency}
    for update`
}

// The newest lines behind a balance. `before` is the last line of the page before.
export async function listLinesBehind(
  tx: Tx | Sql,
  tenant: Tenant,
  { account, currency }: AccountInCurrency,
  page: { before?: LinePosition | undefined; limit: number },
): Promise<readonly BookedLine[]> {
  const { before, limit } = page
  const isOlder = before
    ? tx`(line.entry_id, line.position) < (${before.entryId}::uuid, ${before.position}::integer)`
    : tx`true`
  return await tx<BookedLine[]>`
    select
      line.account, line.currency, line.entry_id, line.position, line.amount_minor,
      entry.kind, entry.source_id, entry.description, entry.created_at
    from kernel.ledger_lines as line
    join kernel.ledger_entries as entry
      on entry.business_id = line.business_id
      and entry.environment = line.environment
      and entry.id = line.entry_id
    where line.business_id = ${tenant.businessId}
      and line.environment = ${tenant.environment}
      and line.account = ${account}
      and line.currency = ${currency}
      and ${isOlder}
    order by line.entry_id desc, line.position desc
    limit ${limit}`
}

// All lines about one object, in the order in which they were posted.
export async function listLinesOfSource(
  tx: Tx | Sql,
  tenant: Tenant,
  sourceId: string,
): Promise<readonly BookedLine[]> {
  return await tx<BookedLine[]>`
    select
      line.account, line.currency, line.entry_id, line.position, line.amount_minor,
      entry.kind, entry.source_id, entry.description, entry.created_at
    from kernel.ledger_entries as entry
    join kernel.ledger_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.entry_id = entry.id
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.source_id = ${sourceId}
    order by line.entry_id, line.position`
}
