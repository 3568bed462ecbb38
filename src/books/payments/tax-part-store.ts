import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { TaxPart } from './settlement-posting.ts'

// What a document has booked as tax, by account and tax code, wherever the code books it. What its
// lines have booked themselves has a description.
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
      and line.description is null
      and (line.tax_code_id is not null or account.subtype = 'tax')
    group by line.account_id, line.tax_code_id
    order by line.account_id, line.tax_code_id`
}
