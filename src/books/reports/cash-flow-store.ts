import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Period } from './report-days.ts'

// By period: lines on cash accounts that change the book value and move no money.
export async function listRateEffects(
  sql: Sql | Tx,
  tenant: Tenant,
  periods: readonly Period[],
  upTo: bigint,
): Promise<bigint[]> {
  const rows = await sql<{ baseMinor: bigint }[]>`
    select coalesce(sum(line.base_minor), 0)::bigint as base_minor
    from unnest(
      ${periods.map(({ from }) => from)}::date[],
      ${periods.map(({ to }) => to)}::date[]
    ) with ordinality as asked (first, last, position)
    left join books.accounts as account
      on account.business_id = ${tenant.businessId}
      and account.environment = ${tenant.environment}
      and account.subtype = 'bank'
    left join books.journal_lines as line
      on line.business_id = ${tenant.businessId}
      and line.environment = ${tenant.environment}
      and line.account_id = account.id
      and line.date between asked.first and asked.last
      and line.amount_minor = 0
      and line.sequence <= ${upTo}
    group by asked.position
    order by asked.position`
  return rows.map(({ baseMinor }) => baseMinor)
}
