// Disputes as people list and search them. A business has few of them beside its payments, so a
// search may look at each.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { meaningsOf } from '../payments/payment-filter.ts'
import type { Dispute, DisputeFilter, DisputeNote, DisputeTotal } from './dispute.ts'

export type WantedDisputes = DisputeFilter & {
  // A dispute whose due date has passed can't be answered any more.
  readonly now: Date
}

// Newest first.
export async function listDisputes(
  sql: Sql,
  tenant: Tenant,
  wanted: WantedDisputes & { limit: number; startingAfter?: string | undefined },
): Promise<Dispute[]> {
  return sql<Dispute[]>`
    select ${columns(sql)}
    from ${joined(sql)}
    where chargeback.business_id = ${tenant.businessId}
      and chargeback.environment = ${tenant.environment}
      ${matches(sql, wanted)}
      ${wanted.startingAfter ? sql`and chargeback.id < ${wanted.startingAfter}` : sql``}
    order by chargeback.id desc
    limit ${wanted.limit}`
}

export async function listDisputeTotals(
  sql: Sql,
  tenant: Tenant,
  wanted: WantedDisputes,
): Promise<DisputeTotal[]> {
  return sql<DisputeTotal[]>`
    select
      chargeback.currency, count(*)::integer as count,
      sum(chargeback.amount_minor)::bigint as amount_minor
    from ${joined(sql)}
    where chargeback.business_id = ${tenant.businessId}
      and chargeback.environment = ${tenant.environment}
      ${matches(sql, wanted)}
    group by chargeback.currency
    order by chargeback.currency`
}

export async function findDispute(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Dispute | undefined> {
  const [row] = await sql<Dispute[]>`
    select ${columns(sql)}
    from ${joined(sql)}
    where chargeback.business_id = ${tenant.businessId}
      and chargeback.environment = ${tenant.environment}
      and chargeback.id = ${id}`
  return row
}

export type WaitingDisputes = { readonly count: number; readonly dueAt: Date | null }

// Those that can still be answered, and when the first of them is due.
export async function findWaitingDisputes(
  sql: Sql,
  tenant: Tenant,
  now: Date,
): Promise<WaitingDisputes> {
  const [row] = await sql<WaitingDisputes[]>`
    select count(*)::integer as count, min(due_at) as due_at
    from merchant.chargebacks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status = 'open'
      and not is_contested
      and (due_at is null or due_at > ${now})`
  return row ?? { count: 0, dueAt: null }
}

// Oldest first.
export async function listDisputeNotes(
  sql: Sql,
  tenant: Tenant,
  chargebackId: string,
): Promise<DisputeNote[]> {
  return sql<DisputeNote[]>`
    select id, chargeback_id, person_id, text, created_at
    from merchant.chargeback_notes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and chargeback_id = ${chargebackId}
    order by created_at, id`
}

export async function insertDisputeNote(tx: Tx, tenant: Tenant, note: DisputeNote): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.chargeback_notes ${tx({ businessId, environment, ...note })}`
}

function joined(sql: Sql | Tx) {
  return sql`
    merchant.chargebacks as chargeback
    join merchant.payments as payment
      on payment.business_id = chargeback.business_id
      and payment.environment = chargeback.environment
      and payment.id = chargeback.payment_id`
}

function matches(sql: Sql, { phase, text, openedSince, openedBefore, now }: WantedDisputes) {
  const isWaiting = sql`
    (not chargeback.is_contested and (chargeback.due_at is null or chargeback.due_at > ${now}))`
  const ofPhase = {
    needs_answer: sql`and chargeback.status = 'open' and ${isWaiting}`,
    under_review: sql`and chargeback.status = 'open' and not ${isWaiting}`,
    won: sql`and chargeback.status = 'won'`,
    lost: sql`and chargeback.status = 'lost'`,
  }
  return sql`
    ${phase ? ofPhase[phase] : sql``}
    ${openedSince ? sql`and chargeback.created_at >= ${openedSince}` : sql``}
    ${openedBefore ? sql`and chargeback.created_at < ${openedBefore}` : sql``}
    ${text ? sql`and (${isMeant(sql, text)})` : sql``}`
}

function isMeant(sql: Sql, text: string) {
  const { id, amounts } = meaningsOf(text)
  const ofAmount = amounts.map(
    ({ currencies, fromMinor, toMinor }) => sql`
      or (
        chargeback.amount_minor between ${fromMinor} and ${toMinor}
        and chargeback.currency = any (${[...currencies]}))`,
  )
  return sql`
    strpos(lower(payment.payer_email), lower(${text})) > 0
    or strpos(lower(payment.payer_name), lower(${text})) > 0
    or chargeback.provider_chargeback_id = ${text}
    or payment.provider_reference = ${text}
    ${id ? sql`or chargeback.id = ${id} or payment.id = ${id}` : sql``}
    ${ofAmount.length > 0 ? sql`${ofAmount}` : sql``}`
}

function columns(sql: Sql | Tx) {
  return sql`
    chargeback.id, chargeback.payment_id, chargeback.provider_chargeback_id, chargeback.status,
    chargeback.amount_minor, chargeback.currency, chargeback.merchant_minor, chargeback.due_at,
    chargeback.reason, chargeback.is_contested, chargeback.created_at, chargeback.updated_at,
    payment.payer_email, payment.payer_name`
}
