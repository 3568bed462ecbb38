import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { TaxPart } from './settlement-posting.ts'

// What a document has booked as tax, by account and tax code.
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

// What the write-offs of a document that claim relief and stand have booked, by account and tax
// code: taxes, and the loss or gain beside them.
export async function listGivenUpParts(
  tx: Tx,
  tenant: Tenant,
  documentId: string,
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
      and ${claimsRelief(tx)}
    group by line.account_id, line.tax_code_id`
}

// Of a line of an entry that brings a document into the books, wherever the tax code books it. What
// its lines have booked themselves has a description.
export function isTaxOfDocument(sql: Sql | Tx) {
  return sql`
    line.description is null
    and line.open_item_id is null
    and (line.tax_code_id is not null or account.subtype = 'tax')`
}

// Of the entry of a write-off. Before its kind told them apart, those that claimed relief are those
// that have booked some tax.
export function claimsRelief(sql: Sql | Tx) {
  return sql`
    (
      entry.kind = 'debt.written_off_net'
      or exists (
        select
        from books.journal_lines as tax
        where tax.business_id = entry.business_id
          and tax.environment = entry.environment
          and tax.sequence = entry.sequence
          and tax.open_item_id is null
          and (tax.account_id <> payment.account_id or tax.tax_code_id is not null)
      )
    )`
}
