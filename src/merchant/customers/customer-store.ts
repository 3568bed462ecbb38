import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { CustomerTotal } from './customer.ts'

// Keeps the name for the search. Nearly always the row exists, and finding it takes no lock.
export async function insertCustomerName(
  tx: Tx,
  tenant: Tenant,
  { payerEmail, payerName }: { payerEmail: string; payerName: string | null },
): Promise<void> {
  await tx`
    insert into merchant.customer_names (business_id, environment, email, name)
    values (
      ${tenant.businessId}, ${tenant.environment}, lower(${payerEmail}), lower(${payerName ?? ''})
    )
    on conflict do nothing`
}

export type CustomerPage = {
  // A part of the address, or of a name that they gave.
  readonly text: string | undefined
  // The last of the page before.
  readonly after: string | undefined
  readonly limit: number
}

// In the order of their addresses, which is that of the key: reading stops when the page is full.
export async function listCustomerKeys(
  sql: Sql,
  tenant: Tenant,
  { text = '', after = '', limit }: CustomerPage,
): Promise<string[]> {
  const pattern = containing(text)
  const rows = await sql<{ email: string }[]>`
    select distinct email
    from merchant.customer_names
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and email > ${after}
      and (
        email like lower(${pattern})
        or name like lower(${pattern}))
    order by email
    limit ${limit}`
  return rows.map(({ email }) => email)
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
