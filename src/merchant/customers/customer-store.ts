import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { CustomerTotal } from './customer.ts'

export type CustomerPage = {
  // What the address begins with.
  readonly prefix: string | undefined
  // The last of the page before.
  readonly after: string | undefined
  readonly limit: number
}

const highest = '\u{10ffff}'

// In the order of their addresses. Each step looks up the next address in the index, so the cost
// does not depend on how often one of them has paid.
export async function listCustomerKeys(
  sql: Sql,
  tenant: Tenant,
  { prefix = '', after = '', limit }: CustomerPage,
): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    with recursive customer (key) as (
      (
        select lower(payer_email) collate "C"
        from merchant.payments
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and lower(payer_email) collate "C" > ${after}
          and lower(payer_email) collate "C" >= lower(${prefix})
          and lower(payer_email) collate "C" < lower(${prefix}) || ${highest}
        order by lower(payer_email) collate "C"
        limit 1
      )
      union all
      select (
        select lower(payer_email) collate "C"
        from merchant.payments
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and lower(payer_email) collate "C" > customer.key
          and lower(payer_email) collate "C" < lower(${prefix}) || ${highest}
        order by lower(payer_email) collate "C"
        limit 1
      )
      from customer
      where customer.key is not null
    )
    select key
    from customer
    where key is not null
    limit ${limit}`
  return rows.map(({ key }) => key)
}

export type CustomerSum = CustomerTotal & { readonly key: string; readonly lastPaymentId: string }

export async function listCustomerSums(
  sql: Sql,
  tenant: Tenant,
  keys: readonly string[],
): Promise<CustomerSum[]> {
  return sql<CustomerSum[]>`
    select
      lower(payer_email) collate "C" as key,
      currency,
      count(*) filter (
        where status in ('succeeded', 'partially_refunded', 'refunded'))::integer as count,
      coalesce(sum(amount_minor - refunded_minor) filter (
        where status in ('succeeded', 'partially_refunded', 'refunded')), 0)::bigint as paid_minor,
      max(id::text)::uuid as last_payment_id
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and lower(payer_email) collate "C" = any (${[...keys]})
    group by 1, 2
    order by 1, 2`
}

export type LastPayment = {
  readonly id: string
  readonly payerEmail: string
  readonly payerName: string | null
  readonly createdAt: Date
}

export async function listLastPayments(
  sql: Sql,
  tenant: Tenant,
  ids: readonly string[],
): Promise<LastPayment[]> {
  return sql<LastPayment[]>`
    select id, payer_email, payer_name, created_at
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]})`
}
