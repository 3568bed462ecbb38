import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'

export type Window = { readonly from: Date; readonly to: Date }

// Of all tenants: those that had a payment lately.
export async function listTenantsWithPayments(sql: Sql, since: Date): Promise<Tenant[]> {
  return sql<{ businessId: string; environment: Environment }[]>`
    select distinct business_id, environment
    from merchant.payments
    where created_at >= ${since}
    order by business_id, environment`
}

export async function listCollectedBetween(
  sql: Sql,
  tenant: Tenant,
  { from, to }: Window,
): Promise<{ id: string; providerReference: string }[]> {
  return sql<{ id: string; providerReference: string }[]>`
    select id, provider_reference
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and created_at >= ${from}
      and succeeded_at < ${to}
    order by id`
}
