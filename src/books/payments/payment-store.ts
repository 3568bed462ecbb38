import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listSameContactIds } from '../contacts/merged-contact-store.ts'
import type { Payment } from './payment.ts'

// False if there already is a payment with this external id. A concurrent second call waits here,
// before it has locked anything, until the first is done.
export async function insertPayment(tx: Tx, tenant: Tenant, payment: Payment): Promise<boolean> {
  const { businessId, environment } = tenant
  const inserted = await tx`
    insert into books.payments ${tx({ businessId, environment, ...payment })}
    on conflict (business_id, environment, external_id)
      where removed_at is null
      do nothing`
  return inserted.count === 1
}

export async function findPayment(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Payment | undefined> {
  const [row] = await sql<Payment[]>`
    select ${columns(sql)}
    from books.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// The current one; several may have been removed.
export async function findPaymentByExternalId(
  sql: Sql | Tx,
  tenant: Tenant,
  externalId: string,
): Promise<Payment | undefined> {
  const [row] = await sql<Payment[]>`
    select ${columns(sql)}
    from books.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and external_id = ${externalId}
      and removed_at is null`
  return row
}

export type PaymentFilter = {
  readonly contactId?: string | undefined
  readonly reference?: string | undefined
  readonly externalId?: string | undefined
}

// The newest first.
export async function listPayments(
  sql: Sql | Tx,
  tenant: Tenant,
  { contactId, reference, externalId }: PaymentFilter,
  limit: number,
): Promise<Payment[]> {
  return sql<Payment[]>`
    select ${columns(sql)}
    from books.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${contactId ? sql`and contact_id = any (${listSameContactIds(sql, tenant, contactId)})` : sql``}
      ${reference ? sql`and reference = ${reference}` : sql``}
      ${externalId ? sql`and external_id = ${externalId}` : sql``}
    order by date desc, created_at desc, id desc
    limit ${limit}`
}

export async function updatePaymentRemoved(
  tx: Tx,
  tenant: Tenant,
  id: string,
  removedAt: Date,
): Promise<void> {
  await tx`
    update books.payments
    set removed_at = ${removedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, direction, method, contact_id, date, currency, amount_minor, fx_rate, base_minor,
    account_id, account_currency, account_amount_minor, fee_minor, reference, external_id,
    removed_at, created_by_kind, created_by, created_at`
}
