import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ChartAccount } from '../accounts/account.ts'
import type { Period } from './report-days.ts'

// The position of a line in the ledger of its account.
export type LedgerPosition = {
  readonly date: string
  readonly sequence: bigint
  readonly position: number
}

export type LedgerLine = LedgerPosition & {
  readonly kind: string
  readonly sourceId: string
  readonly entryDescription: string
  readonly description: string | null
  readonly contactId: string | null
  readonly baseMinor: bigint
  readonly currency: string
  readonly amountMinor: bigint
  // Including this line.
  readonly balanceMinor: bigint
  // The same in the account's own currency; zero if it has none.
  readonly ownBalanceMinor: bigint
}

export type LedgerPage = {
  readonly ledgerSeq: bigint
  readonly openingMinor: bigint
  readonly closingMinor: bigint
  readonly ownOpeningMinor: bigint
  readonly ownClosingMinor: bigint
  readonly lines: readonly LedgerLine[]
}

// The lines after a position. One statement, so that balances and lines are of one snapshot; the
// balance before the page comes from the sums, since an entry with an earlier date can change it
// between two pages.
export async function listLedgerLines(
  sql: Sql | Tx,
  tenant: Tenant,
  { id: accountId, currency }: Pick<ChartAccount, 'id' | 'currency'>,
  { from, to }: Period,
  after: LedgerPosition,
  // Without what was posted after the entry `upTo`.
  { limit, upTo }: { readonly limit: number; readonly upTo?: bigint | undefined },
): Promise<LedgerPage> {
  const isKnown = upTo === undefined ? sql`` : sql`and sequence <= ${upTo}`
  const lastSequence = upTo === undefined ? sql`head.sequence` : sql`${upTo}::bigint`
  const rows = await sql<(Omit<LedgerPage, 'lines'> & (LedgerLine | { sequence: null }))[]>`
    with ${baseParts(sql, tenant, accountId, { from, to }, after, upTo)},
    ends as (
      select
        coalesce(sum(base_minor) filter (where name = 'opening'), 0)::bigint as opening_minor,
        coalesce(sum(base_minor) filter (where name = 'closing'), 0)::bigint as closing_minor,
        coalesce(sum(base_minor) filter (where name = 'page'), 0)::bigint as page_minor
      from part
    ),
    own as (
      ${ownEnds(sql, tenant, { id: accountId, currency }, { from, to }, after, upTo)}
    ),
    page as (
      select date, sequence, position, base_minor, currency, amount_minor, contact_id, description
      from books.journal_lines
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and account_id = ${accountId}
        and (date, sequence, position) > (${after.date}, ${after.sequence}, ${after.position})
        and date <= ${to}
        ${isKnown}
      order by date, sequence, position
      limit ${limit}
    )
    select
      ${lastSequence} as ledger_seq, ends.opening_minor, ends.closing_minor, own.own_opening_minor,
      own.own_closing_minor, page.date, page.sequence, page.position, entry.kind, entry.source_id,
      entry.description as entry_description, page.description, page.contact_id, page.base_minor,
      page.currency, page.amount_minor,
      (ends.page_minor + sum(page.base_minor)
        over (order by page.date, page.sequence, page.position))::bigint as balance_minor,
      (own.own_page_minor
        + sum(case when page.currency = ${currency} then page.amount_minor else 0 end)
          over (order by page.date, page.sequence, page.position))::bigint as own_balance_minor
    from books.journal_heads as head
    cross join ends
    cross join own
    left join page on true
    left join books.journal_entries as entry
      on entry.business_id = head.business_id
      and entry.environment = head.environment
      and entry.sequence = page.sequence
    where head.business_id = ${tenant.businessId}
      and head.environment = ${tenant.environment}
    order by page.date, page.sequence, page.position`
  const { ledgerSeq, openingMinor, closingMinor, ownOpeningMinor, ownClosingMinor } = assertDefined(
    rows[0],
    'books without a journal',
  )
  const ends = { openingMinor, closingMinor, ownOpeningMinor, ownClosingMinor }
  return { ledgerSeq, ...ends, lines: rows.flatMap(lineOf) }
}

// The parts of the balances before and after the period, and before the page.
function baseParts(
  sql: Sql | Tx,
  tenant: Tenant,
  accountId: string,
  { from, to }: Period,
  after: LedgerPosition,
  upTo: bigint | undefined,
) {
  return sql`
    asked as (
      select name, day, date_trunc('month', day::timestamp)::date as month
      from (
        values
          ('opening', ${from}::date - 1),
          ('closing', ${to}::date),
          ('page', ${after.date}::date - 1)
      ) as asked (name, day)
    ),
    part as (
      select asked.name, sums.base_minor
      from asked
      cross join lateral (
        select base_minor
        from books.account_months
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and account_id = ${accountId}
          and month < asked.month
        union all
        select base_minor
        from books.account_days
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and account_id = ${accountId}
          and date between asked.month and asked.day
        ${upTo === undefined ? sql`` : sql`union all ${postedLater(sql, tenant, accountId, upTo)}`}
      ) as sums
      union all
      select 'page', base_minor
      from books.journal_lines
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and account_id = ${accountId}
        and date = ${after.date}
        and (sequence, position) <= (${after.sequence}, ${after.position})
        ${upTo === undefined ? sql`` : sql`and sequence <= ${upTo}`}
    )`
}

function postedLater(sql: Sql | Tx, tenant: Tenant, accountId: string, upTo: bigint) {
  return sql`
    select -base_minor
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and account_id = ${accountId}
      and sequence > ${upTo}
      and date <= asked.day`
}

// There are sums only in the base currency, so the lines of the account are read; few accounts have
// their own currency.
function ownEnds(
  sql: Sql | Tx,
  tenant: Tenant,
  { id, currency }: Pick<ChartAccount, 'id' | 'currency'>,
  { from, to }: Period,
  after: LedgerPosition,
  upTo: bigint | undefined,
) {
  if (currency === null) {
    return sql`
      select
        0::bigint as own_opening_minor, 0::bigint as own_closing_minor, 0::bigint as own_page_minor`
  }
  return sql`
    select
      coalesce(sum(amount_minor) filter (where date < ${from}), 0)::bigint as own_opening_minor,
      coalesce(sum(amount_minor), 0)::bigint as own_closing_minor,
      coalesce(sum(amount_minor) filter (
        where (date, sequence, position) <= (${after.date}, ${after.sequence}, ${after.position})
      ), 0)::bigint as own_page_minor
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and account_id = ${id}
      and currency = ${currency}
      and date <= ${to}
      ${upTo === undefined ? sql`` : sql`and sequence <= ${upTo}`}`
}

// An empty page is a single row without a line.
function lineOf(row: LedgerLine | { sequence: null }): LedgerLine[] {
  return row.sequence === null ? [] : [row]
}
