// The conditions of a search for payments, after those of the tenant.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { lowestIdAround } from '../id-range.ts'
import {
  type AmountRange,
  amountRanges,
  meaningsOf,
  type OffersOfReference,
  type WantedPayments,
} from './payment-filter.ts'

export function findMatching(sql: Sql | Tx, tenant: Tenant, wanted: WantedPayments) {
  const { createdSince: since, createdBefore: before, method, text } = wanted
  const amounts = amountRanges(wanted)
  return sql`
    ${wanted.status ? sql`and status = ${wanted.status}` : sql``}
    ${wanted.paymentLinkId ? sql`and payment_link_id = ${wanted.paymentLinkId}` : sql``}
    ${wanted.qrCodeId ? sql`and qr_code_id = ${wanted.qrCodeId}` : sql``}
    ${wanted.subscriptionId ? sql`and subscription_id = ${wanted.subscriptionId}` : sql``}
    ${wanted.subscriberId ? ofSubscriber(sql, tenant, wanted.subscriberId) : sql``}
    ${wanted.email ? sql`and lower(payer_email) collate "C" = lower(${wanted.email})` : sql``}
    ${since ? sql`and created_at >= ${since} and id >= ${lowestIdAround(since, -1)}` : sql``}
    ${before ? sql`and created_at < ${before} and id < ${lowestIdAround(before, 1)}` : sql``}
    ${wanted.currency ? sql`and currency = ${wanted.currency}` : sql``}
    ${amounts ? sql`and (false ${orInRanges(sql, amounts)})` : sql``}
    ${method ? sql`and method = ${method}` : sql``}
    ${method && method !== 'card' ? sql`and method <> 'card'` : sql``}
    ${text ? sql`and (false ${orMeant(sql, text, wanted.offers)})` : sql``}`
}

// Of a subscription, and invoices that were charged to its card.
function ofSubscriber(sql: Sql | Tx, tenant: Tenant, subscriptionId: string) {
  return sql`
    and (
      subscription_id = ${subscriptionId}
      or id = any (array(
        select charge.payment_id
        from merchant.schedule_charges as charge
        where charge.business_id = ${tenant.businessId}
          and charge.environment = ${tenant.environment}
          and charge.subscription_id = ${subscriptionId})))`
}

function orInRanges(sql: Sql | Tx, ranges: readonly AmountRange[]) {
  if (ranges.length === 0) return sql``
  const conditions = ranges.map(
    ({ currencies, fromMinor, toMinor }) => sql`
      or (
        amount_minor >= ${fromMinor}
        and amount_minor <= ${toMinor}
        and currency = any (${[...currencies]}))`,
  )
  return sql`${conditions}`
}

// The highest character ends the range of everything that begins with the text.
const highest = '\u{10ffff}'

function orMeant(sql: Sql | Tx, text: string, offers: OffersOfReference | undefined) {
  const { id, amounts } = meaningsOf(text)
  const links = offers?.paymentLinkIds ?? []
  const codes = offers?.qrCodeIds ?? []
  return sql`
    or provider_reference = ${text}
    or (
      lower(payer_email) collate "C" >= lower(${text})
      and lower(payer_email) collate "C" < lower(${text}) || ${highest})
    or (
      payer_name is not null
      and lower(payer_name) collate "C" >= lower(${text})
      and lower(payer_name) collate "C" < lower(${text}) || ${highest})
    ${id ? sql`or id = ${id}` : sql``}
    ${links.length > 0 ? sql`or payment_link_id = any (${[...links]})` : sql``}
    ${codes.length > 0 ? sql`or qr_code_id = any (${[...codes]})` : sql``}
    ${orInRanges(sql, amounts)}`
}
