import type { HostedObject } from '../../kernel/basics/hosted-reference.ts'
import type { Invoices } from '../checkout/invoice-offer.ts'
import { openOfferOf } from '../checkout/open-offer.ts'
import type { MerchantContext } from '../context.ts'
import { listPaymentItems } from '../payment-links/payment-link-item-store.ts'
import { isCollected } from '../payments/payment.ts'
import { listPaymentDetails } from '../payments/payment-detail-store.ts'
import { findPayment } from '../payments/payment-store.ts'
import { listRefundsOfPayment } from '../refunds/refund-store.ts'
import { hasReceiptKey, isShownRefund, type Receipt } from './receipt.ts'

// None if the key is wrong or nothing was collected.
export async function readReceipt(
  context: MerchantContext & { readonly invoices: Invoices },
  { tenant, id }: HostedObject,
  key: string,
): Promise<Receipt | undefined> {
  const { sql } = context.database
  const payment = await findPayment(sql, tenant, id)
  if (!payment || !hasReceiptKey(payment, key) || !isCollected(payment)) return undefined
  const [offer, [detail], refunds, lines] = await Promise.all([
    openOfferOf(context, tenant, payment),
    listPaymentDetails(sql, tenant, [id]),
    listRefundsOfPayment(sql, tenant, id),
    payment.isItemised ? listPaymentItems(sql, tenant, [id]) : [],
  ])
  return offer && { payment, offer, detail, lines, refunds: refunds.filter(isShownRefund) }
}
