// The queries of the invariants of documents. They read all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// Every kind has its own keys.
export async function listKeysWithoutDocument(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select used.business_id, used.environment, used.key, used.object_id
    from kernel.idempotency_keys as used
    left join books.documents as document
      on document.business_id = used.business_id
      and document.environment = used.environment
      and document.id = used.object_id
    where used.operation in
        ('invoices', 'credit_notes', 'bills', 'supplier_credits', 'expense_claims')
      and used.operation is distinct from document.kind || 's'
    order by used.business_id, used.environment, used.key
    limit ${limit}`
}

export async function listMisreportedDocuments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with told as (
      select
        document.business_id, document.environment, document.id as document_id, document.status,
        document.kind in ('invoice', 'credit_note') as is_sale,
        document.posted_at is not null as is_posted,
        count(event.id)
          filter (where event.type in ('invoice.created', 'bill.created'))::integer as created,
        count(event.id)
          filter (where event.type in ('invoice.issued', 'bill.approved'))::integer as posted,
        count(event.id)
          filter (where event.type = 'invoice.voided')::integer as voided,
        count(event.id)
          filter (where event.type in ('invoice.paid', 'bill.paid'))::integer as paid
      from books.documents as document
      left join kernel.events as event
        on event.business_id = document.business_id
        and event.environment = document.environment
        and event.object_id = document.id
        and event.service = 'books'
      group by document.business_id, document.environment, document.id
    )
    select business_id, environment, document_id, status, created, posted, voided, paid
    from told
    where created <> 1
      or posted <> is_posted::integer
      or voided <> (is_sale and status = 'void')::integer
      or (paid = 0 and status = 'paid')
    order by business_id, environment, document_id
    limit ${limit}`
}

export async function listMispricedDocuments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      document.business_id, document.environment, document.id as document_id,
      document.total_minor, coalesce(sum(line.gross_minor), 0)::bigint as lines_minor
    from books.documents as document
    left join books.document_lines as line
      on line.business_id = document.business_id
      and line.environment = document.environment
      and line.document_id = document.id
    group by document.business_id, document.environment, document.id
    having coalesce(sum(line.net_minor), 0) <> document.subtotal_minor
      or coalesce(sum(line.tax_minor), 0) <> document.tax_total_minor
      or count(line.position) = 0
      or max(line.position) <> count(line.position)
    order by document.business_id, document.environment, document.id
    limit ${limit}`
}

// The same rules as in document-status.ts, in SQL.
export async function listMisstatedDocuments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with said as (
      select
        business_id, environment, id as document_id, status,
        case
          when voided_at is not null then 'void'
          when posted_at is null and approved_at is not null then 'approved'
          when posted_at is null and submitted_at is not null then 'awaiting_approval'
          when posted_at is null then 'draft'
          when paid_minor + credited_minor + written_off_minor = total_minor
            and (kind in ('credit_note', 'supplier_credit') or written_off_minor > 0
              or (paid_minor = 0 and total_minor <> 0))
            then 'closed'
          when paid_minor + credited_minor + written_off_minor = total_minor then 'paid'
          when paid_minor + credited_minor + written_off_minor > 0 then 'partially_paid'
          when kind not in ('invoice', 'credit_note') then 'approved'
          when sent_at is not null then 'sent'
          else 'posted'
        end as expected
      from books.documents
    )
    select business_id, environment, document_id, status, expected
    from said
    where status <> expected
    order by business_id, environment, document_id
    limit ${limit}`
}

// A dead job draws nothing any more. Jobs are not split like documents (see table-map.ts), so they
// are gathered first.
export async function listUndrawnDocuments(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with job as materialized (
      select id, business_id, environment, unique_key
      from kernel.jobs
      where kind = 'draw-document'
        and dead_at is null
    )
    select document.business_id, document.environment, document.id as document_id, document.number
    from books.documents as document
    left join books.document_files as file
      on file.business_id = document.business_id
      and file.environment = document.environment
      and file.document_id = document.id
    left join job
      on job.business_id = document.business_id
      and job.environment = document.environment
      and job.unique_key = document.id::text
    where document.kind in ('invoice', 'credit_note')
      and document.posted_at is not null
      and file.document_id is null
      and job.id is null
    order by document.business_id, document.environment, document.id
    limit ${limit}`
}

export async function listChangedFiles(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, document_id
    from books.document_files
    where sha256 <> sha256(content)
    order by business_id, environment, document_id
    limit ${limit}`
}

// A credit names a document of the same contact and currency that can be credited.
export async function listMiscreditedDocuments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select credit.business_id, credit.environment, credit.id as document_id
    from books.documents as credit
    join books.documents as credited
      on credited.business_id = credit.business_id
      and credited.environment = credit.environment
      and credited.id = credit.credits_document_id
    where credited.posted_at is null
      or not exists (
        select 1
        from books.contacts as one
        join books.contacts as other
          on other.business_id = one.business_id
          and other.environment = one.environment
          and other.id = credited.contact_id
        where one.business_id = credit.business_id
          and one.environment = credit.environment
          and one.id = credit.contact_id
          and coalesce(one.merged_into, one.id) = coalesce(other.merged_into, other.id)
      )
      or credited.currency <> credit.currency
      or (credit.kind, credited.kind)
        not in (('credit_note', 'invoice'), ('supplier_credit', 'bill'))
    order by credit.business_id, credit.environment, credit.id
    limit ${limit}`
}

// A document posts the tax of its lines, by tax code; the code names the accounts.
export async function listMistaxedDocuments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with due as (
      select
        line.business_id, line.environment, line.document_id, line.tax_code_id,
        case when document.kind in ('invoice', 'supplier_credit') then -1 else 1 end
          * sum(line.tax_minor) as tax_minor,
        bool_or(line.tax_minor <> (
          select coalesce(sum((tax ->> 'tax_minor')::bigint), 0)
          from jsonb_array_elements(line.taxes) as tax
        )) as is_split_wrongly
      from books.document_lines as line
      join books.documents as document
        on document.business_id = line.business_id
        and document.environment = line.environment
        and document.id = line.document_id
      where document.posted_at is not null
        and line.tax_code_id is not null
      group by line.business_id, line.environment, line.document_id, document.kind,
        line.tax_code_id
    ),
    booked as (
      select
        entry.business_id, entry.environment, entry.source_id as document_id, line.tax_code_id,
        sum(line.amount_minor) as tax_minor
      from books.journal_entries as entry
      join books.journal_lines as line
        on line.business_id = entry.business_id
        and line.environment = entry.environment
        and line.sequence = entry.sequence
      where entry.kind in ('invoice.issued', 'credit_note.issued', 'bill.approved',
          'supplier_credit.approved', 'expense_claim.approved')
        and line.tax_code_id is not null
        and line.description is null
        and line.open_item_id is null
      group by entry.business_id, entry.environment, entry.source_id, line.tax_code_id
    )
    select business_id, environment, document_id, tax_code_id
    from due
    full join booked
      using (business_id, environment, document_id, tax_code_id)
    where coalesce(due.tax_minor, 0) <> coalesce(booked.tax_minor, 0)
      or due.is_split_wrongly
    order by business_id, environment, document_id, tax_code_id
    limit ${limit}`
}
