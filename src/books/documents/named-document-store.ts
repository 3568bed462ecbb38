import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findShownName } from '../contacts/merged-contact-store.ts'
import type { Document } from './document.ts'

export type NamedDocument = Document & { readonly contactName: string }

// Chosen documents, in any order.
export async function listNamedDocuments(
  sql: Sql | Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<NamedDocument[]> {
  return sql<NamedDocument[]>`
    select
      document.id, kind, status, number, contact_id,
      ${findShownName(sql, tenant)} as contact_name, date, due_date,
      reference, notes, document.currency, fx_rate, fx_rate_stated, tax_rounding, subtotal_minor,
      tax_total_minor, total_minor, paid_minor, credited_minor, written_off_minor,
      document.created_by_kind, document.created_by, author_person_id, submitted_at, approved_at,
      approved_by, return_reason, posted_at, sent_at, voided_at, document.created_at,
      document.updated_at, version, credits_document_id
    from books.documents as document
    join books.contacts as contact
      on contact.business_id = document.business_id
      and contact.environment = document.environment
      and contact.id = document.contact_id
    where document.business_id = ${tenant.businessId}
      and document.environment = ${tenant.environment}
      and document.id = any (${[...ids]}::uuid[])`
}
