import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

// The ids of the active bank accounts in a currency, by code; null means the base currency.
export async function listBankAccounts(
  sql: Sql | Tx,
  tenant: Tenant,
  currency: string | null,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subtype = 'bank'
      and active
      and currency is not distinct from ${currency}
    order by code collate "C"`
  return rows.map(({ id }) => id)
}
