import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { ProviderName } from '../provider/provider.ts'

export type Window = { readonly from: Date; readonly to: Date }

// Of all tenants: those with a payment in that time.
export async function listTenantsWithPayments(
  sql: Sql,
  from: Date,
  to: Date | null = null,
): Promise<Tenant[]> {
  return sql<{ businessId: string; environment: Environment }[]>`
    select distinct business_id, environment
    from merchant.payments
    where created_at >= ${from}
      and (${to}::timestamptz is null or created_at <= ${to})
    order by business_id, environment`
}

// By this provider: another one does not know them.
export async function listCollectedBetween(
  sql: Sql,
  tenant: Tenant,
  { from, to, provider }: Window & { readonly provider: ProviderName },
): Promise<{ id: string; providerReference: string }[]> {
  return sql<{ id: string; providerReference: string }[]>`
    select id, provider_reference
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and created_at >= ${from}
      and succeeded_at < ${to}
      and (provider is null or provider = ${provider})
    order by id`
}

// Of all tenants: those with recently settled split charges.
export async function listTenantsWithSplits(sql: Sql, { from, to }: Window): Promise<Tenant[]> {
  return sql<{ businessId: string; environment: Environment }[]>`
    select distinct business_id, environment
    from merchant.payments
    where split_recipient_id is not null
      and settled_at between ${from} and ${to}
    order by business_id, environment`
}

export type SplitPayment = {
  readonly id: string
  readonly providerReference: string
  readonly providerTransactionId: string
  readonly currency: string
  readonly splitRecipientId: string
  readonly splitMinor: bigint
}

export async function listSplitPaymentsSettled(
  sql: Sql,
  tenant: Tenant,
  { from, to }: Window,
): Promise<SplitPayment[]> {
  return sql<SplitPayment[]>`
    select id, provider_reference, provider_transaction_id, currency, split_recipient_id,
      split_minor
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and split_recipient_id is not null
      and settled_at between ${from} and ${to}
    order by id`
}
