// The queries of the reports: sums of whole months, and of the days of the current month. Each
// function is one statement, so that a report is one snapshot of the books.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { AccountBalances, Balances } from './account-balances.ts'

export async function listBalances(
  sql: Sql | Tx,
  tenant: Tenant,
  days: readonly string[],
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
    ledgerSeq: rows[0]?.ledgerSeq ?? 0n,
    accounts: rows.map(({ ledgerSeq: _, balanceTexts, ...account }) => ({
      ...account,
      balancesMinor: Object.fromEntries(
        days.map((day, index) => [day, BigInt(balanceTexts[index] ?? 0)]),
      ),
    })),
  }
}

type SumTexts = { readonly ledgerSeq: bigint; readonly balanceTexts: readonly string[] }
