// Finds documents as people look for them: by their state, and by a text that may be part of a
// number, reference or name, or an amount.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import {
  findShownName,
  listIdsByShownName,
  listSameContactIds,
} from '../contacts/merged-contact-store.ts'
import type { Document } from './document.ts'
import type { DocumentKind } from './document-status.ts'
import type { DocumentView } from './document-view.ts'

export type DocumentSearch = {
  readonly kinds: readonly DocumentKind[]
  readonly view?: DocumentView | undefined
  readonly contactId?: string | undefined
  readonly text?: string | undefined
  // What the text is as an amount, in each currency that has as many decimals.
  readonly amounts: readonly { readonly currency: string; readonly minor: bigint }[]
  // Document dates, both inclusive.
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly today: string
}

export type FoundDocument = Pick<
  Document,
  | 'id'
  | 'kind'
  | 'status'
  | 'number'
  | 'contactId'
  | 'date'
  | 'dueDate'
  | 'reference'
  | 'currency'
  | 'totalMinor'
  | 'version'
> & {
  readonly contactName: string
  // Zero if it is not in the books.
  readonly dueMinor: bigint
  readonly isOverdue: boolean
}

// Newest first. `after` is the last document of the page before.
export async function listFoundDocuments(
  sql: Sql,
  tenant: Tenant,
  search: DocumentSearch,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<FoundDocument[]> {
  return sql<FoundDocument[]>`
    select
      document.id, kind, status, number, contact_id,
      ${findShownName(sql, tenant)} as contact_name, date, due_date, reference,
      document.currency, total_minor, version, ${dueMinor(sql)} as due_minor,
      (${isOpen(sql)} and ${isOwed(sql)} and due_date < ${search.today}) as is_overdue
    from books.documents as document
    join books.contacts as contact
      on contact.business_id = document.business_id
      and contact.environment = document.environment
      and contact.id = document.contact_id
    where document.business_id = ${tenant.businessId}
      and document.environment = ${tenant.environment}
      ${matching(sql, tenant, search)}
      ${page.after ? olderThan(sql, tenant, page.after) : sql``}
    order by date desc, document.created_at desc, document.id desc
    limit ${page.limit}`
}

export type DocumentSum = {
  readonly currency: string
  readonly count: number
  // Credits count as negative.
  readonly totalMinor: bigint
  readonly dueMinor: bigint
}

export async function listDocumentSums(
  sql: Sql,
  tenant: Tenant,
  search: DocumentSearch,
): Promise<DocumentSum[]> {
  return sql<DocumentSum[]>`
    select
      document.currency,
      count(*)::integer as count,
      sum(case when ${isOwed(sql)} then total_minor else -total_minor end)::bigint as total_minor,
      sum(case when ${isOwed(sql)} then ${dueMinor(sql)} else -${dueMinor(sql)} end)::bigint
        as due_minor
    from books.documents as document
    where document.business_id = ${tenant.businessId}
      and document.environment = ${tenant.environment}
      ${matching(sql, tenant, search)}
    group by document.currency
    order by document.currency`
}

function matching(sql: Sql, tenant: Tenant, search: DocumentSearch) {
  const { kinds, view, contactId, from, to, text } = search
  return sql`
    and kind = any (${[...kinds]}::text[])
    ${view ? inView(sql, view, search.today) : sql``}
    ${contactId ? sql`and contact_id = any (${listSameContactIds(sql, tenant, contactId)})` : sql``}
    ${from ? sql`and date >= ${from}` : sql``}
    ${to ? sql`and date <= ${to}` : sql``}
    ${text ? containing(sql, tenant, text, search.amounts) : sql``}`
}

function inView(sql: Sql, view: DocumentView, today: string) {
  switch (view) {
    case 'draft':
    case 'awaiting_approval':
    case 'void':
      return sql`and status = ${view}`
    case 'to_send':
      return sql`
        and kind in ('invoice', 'credit_note')
        and status in ('approved', 'posted')`
    case 'open':
      return sql`and ${isOpen(sql)}`
    case 'overdue':
      return sql`and ${isOpen(sql)} and ${isOwed(sql)} and due_date < ${today}`
    case 'paid':
      return sql`and status in ('paid', 'closed')`
  }
}

function containing(sql: Sql, tenant: Tenant, text: string, amounts: DocumentSearch['amounts']) {
  return sql`
    and (
      strpos(lower(number), lower(${text}::text)) > 0
      or strpos(lower(reference), lower(${text}::text)) > 0
      or contact_id in (${listIdsByShownName(sql, tenant, text)})
      or (document.currency, total_minor) in (
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
    and (date, document.created_at, document.id) < (
      select last.date, last.created_at, last.id
      from books.documents as last
      where last.business_id = ${tenant.businessId}
        and last.environment = ${tenant.environment}
        and last.id = ${after}
    )`
}

function isOpen(sql: Sql) {
  return sql`(
    posted_at is not null
    and voided_at is null
    and total_minor <> paid_minor + credited_minor + written_off_minor
  )`
}

function isOwed(sql: Sql) {
  return sql`kind not in ('credit_note', 'supplier_credit')`
}

function dueMinor(sql: Sql) {
  return sql`(
    case
      when posted_at is null or voided_at is not null then 0
      else total_minor - paid_minor - credited_minor - written_off_minor
    end
  )`
}
