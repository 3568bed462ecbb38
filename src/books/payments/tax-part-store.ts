// The taxes of documents: what was posted, and what write-offs have taken back. Write-offs and
// their invariant use the same queries.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import type { Fragment } from '../../kernel/db/statement.ts'
import type { TaxPart } from './settlement-posting.ts'

// The posted tax of a document, by account and tax code.
export async function listTaxParts(tx: Tx, tenant: Tenant, documentId: string): Promise<TaxPart[]> {
  return tx<TaxPart[]>`
    select line.account_id, line.tax_code_id, sum(line.amount_minor)::bigint as amount_minor,
      sum(line.base_minor)::bigint as base_minor
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
      and entry.source_id = ${documentId}
      and ${isTaxOfDocument(tx)}
    group by line.account_id, line.tax_code_id
    order by line.account_id, line.tax_code_id`
}

// What the current write-offs of a document have posted, by account and tax code: taxes, and the
// loss or gain. Of all, or of those with tax relief.
export async function listWrittenOffParts(
  tx: Tx,
  tenant: Tenant,
  documentId: string,
  which: 'all' | 'relieved',
): Promise<TaxPart[]> {
  return tx<TaxPart[]>`
    select line.account_id, line.tax_code_id, sum(line.amount_minor)::bigint as amount_minor,
      sum(line.base_minor)::bigint as base_minor
    from books.allocations as use
    join books.payments as payment
      on payment.business_id = use.business_id
      and payment.environment = use.environment
      and payment.id in (use.debit_item_id, use.credit_item_id)
    join books.journal_entries as entry
      on entry.business_id = payment.business_id
      and entry.environment = payment.environment
      and entry.source_id = payment.id
    join books.journal_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.sequence = entry.sequence
    where use.business_id = ${tenant.businessId}
      and use.environment = ${tenant.environment}
      and ${documentId} in (use.debit_item_id, use.credit_item_id)
      and use.removed_at is null
      and payment.method = 'write_off'
      and line.open_item_id is null
      ${which === 'relieved' ? tx`and ${claimsRelief(tx, tx`${tenant.businessId}`)}` : tx``}
    group by line.account_id, line.tax_code_id`
}

// Of each posted tax of a document, what current write-offs have taken back.
export async function listMisrelievedTaxes(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with given_up as (
      ${givenUpParts(sql)}
    ),
    relieved as (
      select business_id, environment, document_id, abs(sum(amount_minor)) as amount_minor
      from given_up
      group by business_id, environment, document_id
    ),
    booked as (
      ${bookedTaxes(sql)}
    )
    select
      booked.business_id, booked.environment, booked.document_id, booked.account_id,
      booked.tax_code_id
    from booked
    join books.documents as document
      on document.business_id = booked.business_id
      and document.environment = booked.environment
      and document.id = booked.document_id
    left join given_up
      on given_up.business_id = booked.business_id
      and given_up.environment = booked.environment
      and given_up.document_id = booked.document_id
      and given_up.account_id = booked.account_id
      and given_up.tax_code_id is not distinct from booked.tax_code_id
    cross join lateral (
      values
        (booked.amount_minor, coalesce(given_up.amount_minor, 0)),
        (booked.base_minor, coalesce(given_up.base_minor, 0))
    ) as tax (booked_minor, taken_minor)
    where -taken_minor not between least(booked_minor, 0) and greatest(booked_minor, 0)
      or (booked.relieved_minor = document.total_minor and -taken_minor <> booked_minor)
    order by booked.business_id, booked.environment, booked.document_id
    limit ${limit}`
}

// What current write-offs with tax relief have posted, by document, account and tax code.
function givenUpParts(sql: Sql) {
  return sql`
    select
      document.business_id, document.environment, document.id as document_id,
      line.account_id, line.tax_code_id,
      sum(line.amount_minor) as amount_minor,
      sum(line.base_minor) as base_minor
    from books.payments as payment
    join books.allocations as use
      on use.business_id = payment.business_id
      and use.environment = payment.environment
      and payment.id in (use.debit_item_id, use.credit_item_id)
      and use.removed_at is null
    join books.documents as document
      on document.business_id = use.business_id
      and document.environment = use.environment
      and document.id in (use.debit_item_id, use.credit_item_id)
    join books.journal_entries as entry
      on entry.business_id = payment.business_id
      and entry.environment = payment.environment
      and entry.source_id = payment.id
    join books.journal_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.sequence = entry.sequence
      and line.open_item_id is null
    where payment.method = 'write_off'
      and ${claimsRelief(sql, sql`entry.business_id`)}
    group by document.business_id, document.environment, document.id, line.account_id,
      line.tax_code_id`
}

// The posted tax of their documents.
function bookedTaxes(sql: Sql) {
  return sql`
    select
      relieved.business_id, relieved.environment, relieved.document_id,
      relieved.amount_minor as relieved_minor, line.account_id, line.tax_code_id,
      sum(line.amount_minor) as amount_minor,
      sum(line.base_minor) as base_minor
    from relieved
    join books.journal_entries as entry
      on entry.business_id = relieved.business_id
      and entry.environment = relieved.environment
      and entry.source_id = relieved.document_id
    join books.journal_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.sequence = entry.sequence
    join books.accounts as account
      on account.business_id = line.business_id
      and account.environment = line.environment
      and account.id = line.account_id
    where ${isTaxOfDocument(sql)}
    group by relieved.business_id, relieved.environment, relieved.document_id,
      relieved.amount_minor, line.account_id, line.tax_code_id`
}

// Whether a line of a document's posting is tax, wherever the tax code posts it. Other lines of the
// document have a description.
function isTaxOfDocument(sql: Sql | Tx) {
  return sql`
    line.description is null
    and line.open_item_id is null
    and (line.tax_code_id is not null or account.subtype = 'tax')`
}

// Whether a write-off claimed tax relief. Entries from before the separate kind claimed it if they
// posted some tax.
function claimsRelief(sql: Sql | Tx, businessId: Fragment) {
  return sql`
    (
      entry.kind = 'debt.written_off_net'
      or entry.kind = 'debt.written_off'
      and exists (
        select
        from books.journal_lines as tax
        where tax.business_id = ${businessId}
          and tax.environment = entry.environment
          and tax.sequence = entry.sequence
          and tax.open_item_id is null
          and (tax.account_id <> payment.account_id or tax.tax_code_id is not null)
      )
    )`
}
