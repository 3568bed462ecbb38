import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findShownName } from '../contacts/merged-contact-store.ts'
import type {
  FoundServicePayment,
  OpenInvoice,
  PaidInvoice,
  ServicePaymentState,
} from './service-payment.ts'

export type WantedPayments = {
  readonly state?: ServicePaymentState | undefined
  readonly paymentId?: string | undefined
  // Only these amounts.
  readonly amountsMinor?: readonly bigint[] | undefined
  // The last movement of the page before.
  readonly after?: string | undefined
  readonly limit: number
}

// Newest first.
export async function listFoundPayments(
  sql: Sql | Tx,
  tenant: Tenant,
  { state, paymentId, amountsMinor, after, limit }: WantedPayments,
): Promise<FoundServicePayment[]> {
  const { businessId, environment } = tenant
  const removedIds = state === 'unassigned' ? await listRemovedIds(sql, tenant) : []
  const behind = after
    ? sql`
      and (movement.happened_at, movement.id) < (
        select happened_at, id
        from books.service_movements
        where business_id = ${businessId}
          and environment = ${environment}
          and id = ${after}
      )`
    : sql``
  return sql<FoundServicePayment[]>`
    with ${found(sql, tenant)}
    select *
    from found as movement
    where (${state === undefined} or state = ${state ?? null})
      ${narrowed(sql, tenant, state, removedIds)}
      ${paymentId ? sql`and payment_id = ${paymentId}` : sql``}
      ${amountsMinor ? sql`and gross_minor = any (${amountsMinor.map(String)}::bigint[])` : sql``}
      ${behind}
    order by happened_at desc, id desc
    limit ${limit}`
}

// What the movements themselves say, so that the state is worked out for few of them. (A payment
// that the provider reversed and restored, and that was assigned only then, is in the whole list.)
function narrowed(
  sql: Sql | Tx,
  tenant: Tenant,
  state: ServicePaymentState | undefined,
  removedIds: readonly string[],
) {
  if (state === undefined || state === 'returned') return sql``
  if (state === 'assigned') return sql`and collected_as is not null`
  if (state === 'unassigned') {
    // Leads to the index.
    if (removedIds.length === 0) return sql`and collected_as is null`
    return sql`and (collected_as is null or collected_as = any (${[...removedIds]}::uuid[]))`
  }
  return sql`
    and payment_id = any (array(
      select object_id
      from books.service_movements
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and status = 'waiting'
    ))`
}

// Payments of the merchant service that people removed from the books.
async function listRemovedIds(sql: Sql | Tx, tenant: Tenant): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from books.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and removed_at is not null
      and method = 'payment_link'`
  return rows.map(({ id }) => id)
}

// Counted up to a limit: a business that sells without invoices has very many.
export async function findUnassignedCount(
  sql: Sql | Tx,
  tenant: Tenant,
  countMax: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with ${found(sql, tenant)}
    select count(*)::integer as count
    from (
      select
      from found
      where state = 'unassigned'
        -- Leads to the index. Those that people removed from the books are in the list alone.
        and collected_as is null
      limit ${countMax}
    ) as unassigned`
  return row?.count ?? 0
}

// One row for each payment, from its first movement. Its last one says how it is posted now; a
// payment that a person posted is found by its id.
function found(sql: Sql | Tx, tenant: Tenant) {
  const { businessId, environment } = tenant
  return sql`
    found as not materialized (
      select
        movement.id, movement.id as movement_id, movement.object_id as payment_id,
        movement.happened_at, movement.currency,
        movement.held_minor + movement.fee_minor + movement.share_minor as gross_minor,
        movement.fee_minor, movement.offer_text, movement.booked_payment_id as collected_as,
        last.reason, last.first_sequence, booked.id as booked_payment_id, booked.contact_id,
        ${findShownName(sql, tenant)} as contact_name,
        case
          when last.status = 'waiting' then 'waiting'
          when booked.id is not null then 'assigned'
          when last.kind = 'collection_reversed' or returned.count > 0 then 'returned'
          else 'unassigned'
        end as state
      from books.service_movements as movement
      cross join lateral (
        select kind, status, reason, booked_payment_id, first_sequence
        from books.service_movements as later
        where later.business_id = ${businessId}
          and later.environment = ${environment}
          and later.object_id = movement.object_id
          and later.kind in ('collected', 'collection_reversed', 'collection_restored')
        order by later.happened_at desc, later.id desc
        limit 1
      ) as last
      cross join lateral (
        select
          count(*) filter (where kind in ('refunded', 'charged_back'))
          - count(*) filter (where kind in ('refund_reversed', 'chargeback_won')) as count
        from books.service_movements as other
        where other.business_id = ${businessId}
          and other.environment = ${environment}
          and other.payment_id = movement.object_id
      ) as returned
      left join lateral (
        select id, contact_id
        from books.payments as payment
        where payment.business_id = ${businessId}
          and payment.environment = ${environment}
          and payment.removed_at is null
          and (
            payment.id = last.booked_payment_id
            or payment.external_id = movement.object_id::text
          )
        limit 1
      ) as booked on true
      left join books.contacts as contact
        on contact.business_id = ${businessId}
        and contact.environment = ${environment}
        and contact.id = booked.contact_id
      where movement.business_id = ${businessId}
        and movement.environment = ${environment}
        and movement.kind = 'collected'
    )`
}

// What payments of the books settled, by their ids.
export async function listPaidInvoices(
  sql: Sql | Tx,
  tenant: Tenant,
  bookedPaymentIds: readonly string[],
): Promise<(PaidInvoice & { readonly bookedPaymentId: string })[]> {
  return sql`
    select
      allocation.credit_item_id as booked_payment_id, document.id, document.number,
      sum(allocation.amount_minor)::bigint as amount_minor
    from books.allocations as allocation
    join books.documents as document
      on document.business_id = allocation.business_id
      and document.environment = allocation.environment
      and document.id = allocation.debit_item_id
    where allocation.business_id = ${tenant.businessId}
      and allocation.environment = ${tenant.environment}
      and allocation.credit_item_id = any (${[...bookedPaymentIds]}::uuid[])
      and allocation.removed_at is null
    group by allocation.credit_item_id, document.id, document.number
    order by document.number`
}

export type WantedInvoices = {
  readonly currencies: readonly string[]
  // Only invoices of which exactly one of these is open.
  readonly amountsMinor?: readonly bigint[] | undefined
  // These first.
  readonly nearestMinor?: bigint | undefined
  // Part of a number, a reference or the name of the contact.
  readonly search?: string | undefined
  readonly limit: number
}

export async function listOpenInvoices(
  sql: Sql | Tx,
  tenant: Tenant,
  { currencies, amountsMinor, nearestMinor, search, limit }: WantedInvoices,
): Promise<OpenInvoice[]> {
  const pattern = search && `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<OpenInvoice[]>`
    select
      document.id, document.number, document.contact_id,
      ${findShownName(sql, tenant)} as contact_name,
      document.date, document.due_date, item.currency, item.open_minor
    from books.open_items as item
    join books.documents as document
      on document.business_id = item.business_id
      and document.environment = item.environment
      and document.id = item.id
    join books.contacts as contact
      on contact.business_id = item.business_id
      and contact.environment = item.environment
      and contact.id = item.contact_id
    where item.business_id = ${tenant.businessId}
      and item.environment = ${tenant.environment}
      and item.open_minor > 0
      and item.currency = any (${[...currencies]}::text[])
      and document.kind = 'invoice'
      and (
        ${amountsMinor === undefined}
        or item.open_minor = any (${amountsMinor?.map(String) ?? []}::bigint[])
      )
      and (
        ${pattern === undefined}
        or document.number ilike ${pattern ?? null}
        or document.reference ilike ${pattern ?? null}
        or ${findShownName(sql, tenant)} ilike ${pattern ?? null}
      )
    order by item.open_minor = ${nearestMinor ?? null}::bigint desc nulls last, document.date desc,
      document.id desc
    limit ${limit}`
}
