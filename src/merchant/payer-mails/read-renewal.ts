// What the receipt of a subscription adds: when the card is charged next, and the subscriber's
// page. The receipt of an invoice that a schedule charged has the page only.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { MerchantContext } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { subscriberUrl } from '../subscriber-pages/subscriber-page.ts'
import { findSubscriberPage } from '../subscriber-pages/subscriber-page-store.ts'
import { findPeriod } from '../subscriptions/period-store.ts'
import { findScheduleCharge } from '../subscriptions/schedule-charge-store.ts'
import { findSubscription } from '../subscriptions/subscription-store.ts'

export type PaidPeriod = {
  // The day after what is paid; the card is charged then, unless the subscription ends.
  readonly nextDay: string | null
  readonly endsThen: boolean
  // Null for someone else who has paid: the address is for the subscriber.
  readonly pageUrl: string | null
}

export async function readRenewal(
  { database: { sql }, publicUrl }: MerchantContext,
  tenant: Tenant,
  payment: Payment,
): Promise<PaidPeriod | undefined> {
  const { subscriptionPeriod: number, invoiceId, payerEmail } = payment
  const charge = invoiceId === null ? undefined : await findScheduleCharge(sql, tenant, payment.id)
  const id = payment.subscriptionId ?? charge?.subscriptionId
  if (id === undefined) return undefined
  const [subscription, period, page] = await Promise.all([
    findSubscription(sql, tenant, id),
    number === null ? undefined : findPeriod(sql, tenant, id, number),
    findSubscriberPage(sql, tenant, id),
  ])
  if (!subscription || !page) return undefined
  const isSubscriber = payerEmail.toLowerCase() === subscription.payerEmail.toLowerCase()
  return {
    nextDay: period?.endsBefore ?? null,
    endsThen: subscription.cancelAtPeriodEnd || subscription.status === 'cancelled',
    pageUrl: isSubscriber ? subscriberUrl(publicUrl, tenant, page.publicId) : null,
  }
}
