// Finds quotes as people look for them, like `documents/document-search-store.ts`.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import {
  findShownName,
  listIdsByShownName,
  listSameContactIds,
} from '../contacts/merged-contact-store.ts'
import type { Quote, QuoteStatus } from './quote.ts'

export type QuoteSearch = {
  readonly status?: QuoteStatus | undefined
  readonly contactId?: string | undefined
  readonly text?: string | undefined
  // What the text is as an amount, in each currency that has as many decimals.
  readonly amounts: readonly { readonly currency: string; readonly minor: bigint }[]
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export type FoundQuote = Pick<
  Quote,
  | 'id'
  | 'status'
  | 'number'
  | 'contactId'
  | 'date'
  | 'expiryDate'
  | 'reference'
  | 'currency'
  | 'totalMinor'
> & { readonly contactName: string }

// Newest first. `after` is the last quote of the page before.
export async function listFoundQuotes(
  sql: Sql,
  tenant: Tenant,
  search: QuoteSearch,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<FoundQuote[]> {
  return sql<FoundQuote[]>`
    select
      quote.id, status, number, contact_id, ${findShownName(sql, tenant)} as contact_name,
      date, expiry_date,
      reference, quote.currency, total_minor
    from books.quotes as quote
    join books.contacts as contact
      on contact.business_id = quote.business_id
      and contact.environment = quote.environment
      and contact.id = quote.contact_id
    where quote.business_id = ${tenant.businessId}
      and quote.environment = ${tenant.environment}
      ${matching(sql, tenant, search)}
      ${page.after ? olderThan(sql, tenant, page.after) : sql``}
    order by date desc, quote.created_at desc, quote.id desc
    limit ${page.limit}`
}

export type QuoteSum = {
  readonly currency: string
  readonly count: number
  readonly totalMinor: bigint
}

export async function listQuoteSums(
  sql: Sql,
  tenant: Tenant,
  search: QuoteSearch,
): Promise<QuoteSum[]> {
  return sql<QuoteSum[]>`
    select
      quote.currency,
      count(*)::integer as count,
      sum(total_minor)::bigint as total_minor
    from books.quotes as quote
    where quote.business_id = ${tenant.businessId}
      and quote.environment = ${tenant.environment}
      ${matching(sql, tenant, search)}
    group by quote.currency
    order by quote.currency`
}

function matching(sql: Sql, tenant: Tenant, search: QuoteSearch) {
  const { status, contactId, from, to, text, amounts } = search
  return sql`
    ${status ? sql`and status = ${status}` : sql``}
    ${contactId ? sql`and contact_id = any (${listSameContactIds(sql, tenant, contactId)})` : sql``}
    ${from ? sql`and date >= ${from}` : sql``}
    ${to ? sql`and date <= ${to}` : sql``}
    ${text ? containing(sql, tenant, text, amounts) : sql``}`
}

function containing(sql: Sql, tenant: Tenant, text: string, amounts: QuoteSearch['amounts']) {
  return sql`
    and (
      strpos(lower(number), lower(${text}::text)) > 0
      or strpos(lower(reference), lower(${text}::text)) > 0
      or contact_id in (${listIdsByShownName(sql, tenant, text)})
      or (quote.currency, total_minor) in (
        select *
        from unnest(
          ${amounts.map(({ currency }) => currency)}::text[],
          ${amounts.map(({ minor }) => minor)}::bigint[]
        )
      )
    )`
}

function olderThan(sql: Sql, tenant: Tenant, after: string) {
  return sql`
    and (date, quote.created_at, quote.id) < (
      select last.date, last.created_at, last.id
      from books.quotes as last
      where last.business_id = ${tenant.businessId}
        and last.environment = ${tenant.environment}
        and last.id = ${after}
    )`
}
