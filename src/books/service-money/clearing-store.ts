import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'

export type HeldAmount = { readonly currency: string; readonly amountMinor: bigint }

// There are sums only in the base currency, so the lines of the account are read.
export async function listClearing(
  sql: Sql,
  tenant: Tenant,
  accountId: string,
): Promise<HeldAmount[]> {
  return sql<HeldAmount[]>`
    select currency, sum(amount_minor)::bigint as amount_minor
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and account_id = ${accountId}
    group by currency
    order by currency`
}
