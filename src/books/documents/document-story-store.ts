// What belongs to a document besides its own rows: documents and payments that it was settled with,
// documents made from it or for it, and the journal entries about them.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { Payment } from '../payments/payment.ts'
import type { Document } from './document.ts'

export type RelatedDocument = Pick<
  Document,
  'id' | 'kind' | 'status' | 'number' | 'date' | 'currency' | 'totalMinor' | 'creditsDocumentId'
>

// The named ones, and the credits that name this one.
export async function listRelatedDocuments(
  sql: Sql,
  tenant: Tenant,
  documentId: string,
  ids: readonly string[],
): Promise<RelatedDocument[]> {
  return sql<RelatedDocument[]>`
    select id, kind, status, number, date, currency, total_minor, credits_document_id
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (id = any (${[...ids]}::uuid[]) or credits_document_id = ${documentId})
    order by date, id`
}

export type UsedPayment = Pick<
  Payment,
  | 'id'
  | 'direction'
  | 'method'
  | 'date'
  | 'currency'
  | 'amountMinor'
  | 'reference'
  | 'externalId'
  | 'removedAt'
> & { readonly accountCode: string; readonly accountName: string }

export async function listUsedPayments(
  sql: Sql,
  tenant: Tenant,
  ids: readonly string[],
): Promise<UsedPayment[]> {
  return sql<UsedPayment[]>`
    select
      payment.id, direction, method, date, payment.currency, amount_minor, reference, external_id,
      removed_at, account.code as account_code, account.name as account_name
    from books.payments as payment
    join books.accounts as account
      on account.business_id = payment.business_id
      and account.environment = payment.environment
      and account.id = payment.account_id
    where payment.business_id = ${tenant.businessId}
      and payment.environment = ${tenant.environment}
      and payment.id = any (${[...ids]}::uuid[])
    order by date, payment.id`
}

export type EntryLine = {
  readonly sequence: bigint
  readonly kind: string
  readonly sourceId: string
  readonly date: string
  readonly description: string
  readonly position: number
  readonly accountId: string
  readonly accountCode: string
  readonly accountName: string
  readonly baseMinor: bigint
  readonly currency: string
  readonly amountMinor: bigint
}

// In the order of the journal.
export async function listEntryLinesOf(
  sql: Sql,
  tenant: Tenant,
  sourceIds: readonly string[],
): Promise<EntryLine[]> {
  return sql<EntryLine[]>`
    select
      entry.sequence, entry.kind, entry.source_id, entry.date, entry.description, line.position,
      line.account_id, account.code as account_code, account.name as account_name,
      line.base_minor, line.currency, line.amount_minor
    from books.journal_entries as entry
    join books.journal_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.sequence = entry.sequence
    join books.accounts as account
      on account.business_id = line.business_id
      and account.environment = line.environment
      and account.id = line.account_id
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.source_id = any (${[...sourceIds]}::uuid[])
    order by entry.sequence, line.position`
}

// The quote that became this invoice.
export async function findQuoteOfInvoice(
  sql: Sql,
  tenant: Tenant,
  invoiceId: string,
): Promise<{ id: string; number: string | null } | undefined> {
  const [row] = await sql<{ id: string; number: string | null }[]>`
    select id, number
    from books.quotes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and invoice_id = ${invoiceId}`
  return row
}
