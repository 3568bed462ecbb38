// The queries of the reports: sums of whole months, and of the days of the current month. Each
// function is one statement, so that a report is one snapshot of the books. For the books as they
// were known earlier, the lines that were posted later are taken off the sums.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { AccountBalances, Balances } from './account-balances.ts'

export async function listBalances(
  sql: Sql | Tx,
  tenant: Tenant,
  days: readonly string[],
  upTo?: bigint,
): Promise<Balances> {
  const rows = await sql<(Omit<AccountBalances, 'balancesMinor'> & SumTexts)[]>`
    with asked as (
      select day, date_trunc('month', day::timestamp)::date as month, position
      from unnest(${[...days]}::date[]) with ordinality as asked (day, position)
    ),
    summed as (
      select asked.position, part.account_id, sum(part.base_minor) as base_minor
      from asked
      cross join lateral (
        select account_id, base_minor
        from books.account_months
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and month < asked.month
        union all
        select account_id, base_minor
        from books.account_days
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and date between asked.month and asked.day
        ${upTo === undefined ? sql`` : sql`union all ${postedLater(sql, tenant, upTo)}`}
      ) as part
      group by asked.position, part.account_id
    )
    select
      account.id, account.code, account.name, account.type, account.subtype,
      head.sequence as ledger_seq,
      array_agg(coalesce(summed.base_minor, 0)::text order by asked.position) as balance_texts
    from books.accounts as account
    inner join books.journal_heads as head
      on head.business_id = account.business_id
      and head.environment = account.environment
    cross join asked
    left join summed
      on summed.account_id = account.id
      and summed.position = asked.position
    where account.business_id = ${tenant.businessId}
      and account.environment = ${tenant.environment}
    group by account.business_id, account.environment, account.id, head.sequence
    order by account.code collate "C"`
  return {
    ledgerSeq: upTo ?? rows[0]?.ledgerSeq ?? 0n,
    accounts: rows.map(({ ledgerSeq: _, balanceTexts, ...account }) => ({
      ...account,
      balancesMinor: Object.fromEntries(
        days.map((day, index) => [day, BigInt(balanceTexts[index] ?? 0)]),
      ),
    })),
  }
}

type SumTexts = { readonly ledgerSeq: bigint; readonly balanceTexts: readonly string[] }

function postedLater(sql: Sql | Tx, tenant: Tenant, upTo: bigint) {
  return sql`
    select account_id, -base_minor
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and sequence > ${upTo}
      and date <= asked.day`
}

// Entries are posted in the order of their sequence, so few are read.
export async function findLastSequenceBefore(
  sql: Sql | Tx,
  tenant: Tenant,
  moment: Date,
): Promise<bigint> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence
    from books.journal_entries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and posted_at < ${moment}
    order by sequence desc
    limit 1`
  return row?.sequence ?? 0n
}
