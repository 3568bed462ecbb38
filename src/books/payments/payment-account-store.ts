import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Account } from '../accounts/account.ts'

// Null for an account in the base currency.
export type PaymentAccount = Account & {
  readonly isSystem: boolean
  readonly currency: string | null
}

export async function findPaymentAccount(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<PaymentAccount | undefined> {
  const [account] = await sql<PaymentAccount[]>`
    select id, code, name, type, subtype, active, is_system, currency
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return account
}
