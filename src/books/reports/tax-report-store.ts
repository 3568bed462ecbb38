// The queries of the tax report. All read the lines that name a tax code, up to an entry, so that
// several of them see the same books.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Period } from './report-days.ts'
import type { ComponentSum, TaxEntry, TaxSection, TaxSum } from './tax-facts.ts'

export async function listTaxSums(
  sql: Sql | Tx,
  tenant: Tenant,
  period: Period,
  upTo: bigint,
): Promise<TaxSum[]> {
  return sql<TaxSum[]>`
    with ${taxLines(sql, tenant, period, upTo)}
    select
      section, is_write_off, tax_code_id, account_id, has_text,
      sum(base_minor)::bigint as base_minor
    from tax_line
    group by section, is_write_off, tax_code_id, account_id, has_text`
}

// What each component came to on documents, by their currencies and rates. The journal has one line
// for the components that share an account.
export async function listComponentSums(
  sql: Sql | Tx,
  tenant: Tenant,
  period: Period,
  upTo: bigint,
  taxCodeIds: readonly string[],
): Promise<ComponentSum[]> {
  if (taxCodeIds.length === 0) return []
  return sql<ComponentSum[]>`
    with ${taxLines(sql, tenant, period, upTo)},
    taxed as (
      select distinct sequence, section
      from tax_line
      where tax_code_id = any (${[...taxCodeIds]}::uuid[])
        and section <> 'manual'
        and not is_write_off
    )
    select
      taxed.section, line.tax_code_id, (tax.place - 1)::int as index, document.currency,
      document.fx_rate,
      sum(
        (tax.part ->> 'tax_minor')::bigint
        * case when document.kind in ('credit_note', 'supplier_credit') then -1 else 1 end
        * case when entry.reverses_sequence is null then 1 else -1 end
      )::bigint as amount_minor
    from taxed
    inner join books.journal_entries as entry
      on entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.sequence = taxed.sequence
    inner join books.documents as document
      on document.business_id = entry.business_id
      and document.environment = entry.environment
      and document.id = entry.source_id
    inner join books.document_lines as line
      on line.business_id = document.business_id
      and line.environment = document.environment
      and line.document_id = document.id
      and line.tax_code_id = any (${[...taxCodeIds]}::uuid[])
    cross join lateral jsonb_array_elements(line.taxes) with ordinality as tax (part, place)
    group by taxed.section, line.tax_code_id, tax.place, document.currency, document.fx_rate`
}

// The entries of a tax code, oldest first.
export async function listTaxEntries(
  sql: Sql | Tx,
  tenant: Tenant,
  period: Period,
  {
    upTo,
    taxCodeId,
    section,
    after,
    limit,
  }: {
    readonly upTo: bigint | undefined
    readonly taxCodeId: string
    readonly section: TaxSection | undefined
    readonly after: { readonly date: string; readonly sequence: bigint } | undefined
    readonly limit: number
  },
): Promise<TaxEntry[]> {
  return sql<TaxEntry[]>`
    with ${taxLines(sql, tenant, period, upTo)},
    summed as (
      select
        date, sequence, section, is_write_off, account_id, has_text, sum(base_minor) as base_minor
      from tax_line
      where tax_code_id = ${taxCodeId}
        ${section ? sql`and section = ${section}` : sql``}
        ${after ? sql`and (date, sequence) > (${after.date}, ${after.sequence})` : sql``}
      group by date, sequence, section, is_write_off, account_id, has_text
    )
    select
      summed.date, summed.sequence, entry.kind, entry.description, summed.section,
      summed.is_write_off,
      jsonb_agg(
        jsonb_build_object(
          'account', summed.account_id,
          'hasText', summed.has_text,
          'base', summed.base_minor::text
        )
      ) as sums
    from summed
    inner join books.journal_entries as entry
      on entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.sequence = summed.sequence
    group by summed.date, summed.sequence, entry.kind, entry.description, summed.section,
      summed.is_write_off
    order by summed.date, summed.sequence
    limit ${limit}`
}

// A reversal belongs where the reversed entry does.
function taxLines(sql: Sql | Tx, tenant: Tenant, { from, to }: Period, upTo: bigint | undefined) {
  return sql`
    tax_line as (
      select
        line.sequence, line.date, line.tax_code_id, line.account_id, line.base_minor,
        line.description is not null as has_text,
        origin.kind like 'debt.%' as is_write_off,
        case
          when origin.kind ~ '^(invoice|credit_note)[.]' then 'sales'
          when origin.kind ~ '^(bill|supplier_credit|expense_claim)[.]' then 'purchases'
          when payment.direction = 'in' then 'sales'
          when payment.direction = 'out' then 'purchases'
          else 'manual'
        end as section
      from books.journal_lines as line
      inner join books.journal_entries as entry
        on entry.business_id = line.business_id
        and entry.environment = line.environment
        and entry.sequence = line.sequence
      inner join books.journal_entries as origin
        on origin.business_id = entry.business_id
        and origin.environment = entry.environment
        and origin.sequence = coalesce(entry.reverses_sequence, entry.sequence)
      left join books.payments as payment
        on payment.business_id = origin.business_id
        and payment.environment = origin.environment
        and payment.id = origin.source_id
        and origin.kind like 'debt.%'
      where line.business_id = ${tenant.businessId}
        and line.environment = ${tenant.environment}
        and line.tax_code_id is not null
        and line.date between ${from} and ${to}
        ${upTo === undefined ? sql`` : sql`and line.sequence <= ${upTo}`}
    )`
}
