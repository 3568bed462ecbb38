import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

// Who receives part of a charge, as far as charges need to know.
export type Recipient = {
  readonly id: string
  // PostgreSQL's numeric as text: an exact decimal.
  readonly splitPercent: string
  readonly subaccountId: string | null
  readonly disabled: boolean
}

export async function findRecipient(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Recipient | undefined> {
  const [row] = await sql<Recipient[]>`
    select id, split_percent, subaccount_id, disabled
    from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}
