import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ProviderName } from '../provider/provider.ts'

export type SplitTerms = { readonly percent: string }

// The split of a new payment. A recipient who is disabled or not yet registered with the provider
// gets nothing, and the merchant gets everything.
export async function findSplitTerms(
  sql: Sql | Tx,
  tenant: Tenant,
  recipientId: string,
  provider: ProviderName,
): Promise<SplitTerms | undefined> {
  const [row] = await sql<SplitTerms[]>`
    select split_percent::text as percent
    from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${recipientId}
      and not disabled
      and provider = ${provider}
      and subaccount_id is not null`
  return row
}

// The recipient of an existing payment. The split was fixed when the payment was created, even if
// the recipient was disabled since.
export async function findSubaccountId(
  sql: Sql | Tx,
  tenant: Tenant,
  recipientId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ subaccountId: string }[]>`
    select subaccount_id
    from merchant.split_recipients
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${recipientId}
      and subaccount_id is not null`
  return row?.subaccountId
}

// Whether the payer was charged for a payment that is not paid: too little, in another currency, or
// too late.
export async function findUnmatchedMoney(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<boolean> {
  const [row] = await sql`
    select 1
    from merchant.breaks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and object_kind = 'payment'
      and object_id = ${paymentId}
      and cause in ('late_success', 'underpayment', 'wrong_currency')
    limit 1`
  return row !== undefined
}
