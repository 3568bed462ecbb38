import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { DocumentKind } from '../documents/document-status.ts'
import type { Period } from '../reports/report-days.ts'
import { listSameContactIds } from './merged-contact-store.ts'

export type OpeningRow = {
  readonly currency: string
  readonly sequence: null
  readonly amountMinor: bigint
}

export type MovementRow = {
  readonly currency: string
  // Of the journal entry.
  readonly sequence: bigint
  readonly date: string
  readonly kind: string
  readonly sourceId: string
  readonly documentKind: DocumentKind | null
  readonly number: string | null
  readonly reference: string | null
  readonly dueDate: string | null
  readonly amountMinor: bigint
}

// What each journal entry changed in what is open between us and a contact, after the sums of what
// came before the period. One statement, so that both are of one snapshot. An entry that only uses
// one item for another changes nothing, and is left out.
export async function listStatementRows(
  sql: Sql | Tx,
  tenant: Tenant,
  contactId: string,
  { from, to }: Period,
  limit: number,
): Promise<(OpeningRow | MovementRow)[]> {
  return sql<(OpeningRow | MovementRow)[]>`
    with movement as (
      select
        item.currency, line.sequence, line.date, sum(line.amount_minor)::bigint as amount_minor
      from books.open_items as item
      inner join books.journal_lines as line
        on line.business_id = item.business_id
        and line.environment = item.environment
        and line.open_item_id = item.id
        and line.date <= ${to}
      where item.business_id = ${tenant.businessId}
        and item.environment = ${tenant.environment}
        and item.contact_id = any (${listSameContactIds(sql, tenant, contactId)})
      group by item.currency, line.sequence, line.date
      having sum(line.amount_minor) <> 0
    )
    select
      currency, null::bigint as sequence, null::date as date, null as kind,
      null::uuid as source_id, null as document_kind, null as number, null as reference,
      null::date as due_date, sum(amount_minor)::bigint as amount_minor
    from movement
    where date < ${from}
    group by currency
    union all
    select
      movement.currency, movement.sequence, movement.date, entry.kind, entry.source_id,
      document.kind, document.number, coalesce(document.reference, payment.reference),
      document.due_date, movement.amount_minor
    from movement
    inner join books.journal_entries as entry
      on entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.sequence = movement.sequence
    left join books.documents as document
      on document.business_id = entry.business_id
      and document.environment = entry.environment
      and document.id = entry.source_id
    left join books.payments as payment
      on payment.business_id = entry.business_id
      and payment.environment = entry.environment
      and payment.id = entry.source_id
    where movement.date >= ${from}
    order by date nulls first, sequence, currency
    limit ${limit}`
}
