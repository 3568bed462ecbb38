// Charges of invoices, with what the payment service knows of them.
import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Sql } from '../kernel/db/database.ts'
import type { Violation } from '../kernel/db/invariant.ts'

export type ChargedAmounts = {
  // Collected, and not posted in the books yet.
  readonly collectedMinor: bigint
  // The provider has the charge and has not decided.
  readonly unconfirmedMinor: bigint
}

export async function findChargedAmounts(
  sql: Sql,
  tenant: Tenant,
  documentId: string,
): Promise<ChargedAmounts> {
  const [row] = await sql<ChargedAmounts[]>`
    select
      coalesce(sum(payment.amount_minor - payment.refunded_minor) filter (
        where payment.status in ('succeeded', 'partially_refunded', 'refunded')), 0)::bigint
        as collected_minor,
      coalesce(sum(payment.amount_minor) filter (
        where payment.status = 'processing'), 0)::bigint as unconfirmed_minor
    from books.invoice_charges as charge
    join merchant.payments as payment
      on payment.business_id = charge.business_id
      and payment.environment = charge.environment
      and payment.id = charge.payment_id
    where charge.business_id = ${tenant.businessId}
      and charge.environment = ${tenant.environment}
      and charge.document_id = ${documentId}
      and charge.ended_at is null`
  return row ?? { collectedMinor: 0n, unconfirmedMinor: 0n }
}

// Charges that collected nothing, or gave all of it back, have ended. The others end when they are
// posted.
export async function updateFailedChargesToEnded(sql: Sql, endedAt: Date): Promise<void> {
  await sql`
    update books.invoice_charges as charge
    set ended_at = ${endedAt}
    from merchant.payments as payment
    where payment.business_id = charge.business_id
      and payment.environment = charge.environment
      and payment.id = charge.payment_id
      and payment.status in ('failed', 'cancelled', 'refunded')
      and charge.ended_at is null`
}

// Every payment for an invoice is bound to it on both sides.
export async function listUnboundPayments(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      coalesce(payment.business_id, charge.business_id) as business_id,
      coalesce(payment.environment, charge.environment) as environment,
      coalesce(payment.id, charge.payment_id) as payment_id
    from (
      select business_id, environment, id, invoice_id, currency, amount_minor
      from merchant.payments
      where invoice_id is not null
    ) as payment
    full join books.invoice_charges as charge
      on charge.business_id = payment.business_id
      and charge.environment = payment.environment
      and charge.payment_id = payment.id
    where payment.invoice_id is distinct from charge.document_id
      or payment.currency is distinct from charge.currency
      or payment.amount_minor is distinct from charge.amount_minor
    limit ${limit}`
}

// A payment that was collected for an invoice is posted for the customer of that invoice, or still
// under way.
export async function listLostCharges(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select charge.business_id, charge.environment, charge.payment_id, charge.document_id
    from books.invoice_charges as charge
    join merchant.payments as payment
      on payment.business_id = charge.business_id
      and payment.environment = charge.environment
      and payment.id = charge.payment_id
    join books.documents as invoice
      on invoice.business_id = charge.business_id
      and invoice.environment = charge.environment
      and invoice.id = charge.document_id
    where charge.ended_at is not null
      and payment.status not in ('failed', 'cancelled', 'refunded')
      and not exists (
        select
        from books.service_movements as movement
        where movement.business_id = charge.business_id
          and movement.environment = charge.environment
          and movement.object_id = charge.payment_id
          and movement.status in ('booked', 'known')
      )
      and not exists (
        select
        from books.payments as booked
        join books.contacts as contact
          on contact.business_id = booked.business_id
          and contact.environment = booked.environment
          and contact.id = invoice.contact_id
        where booked.business_id = charge.business_id
          and booked.environment = charge.environment
          and booked.external_id = charge.payment_id::text
          and booked.contact_id in (contact.id, contact.merged_into)
      )
    limit ${limit}`
}
