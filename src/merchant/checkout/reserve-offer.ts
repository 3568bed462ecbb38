// Reserves the code, period, invoice or check of a card of a new payment.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { reserveCode } from '../payments/reserve-code.ts'
import { reserveCardCheck } from '../subscriptions/check-card.ts'
import { reservePeriod } from '../subscriptions/reserve-period.ts'
import type { Offer } from './offer.ts'

export type PaidFor = Pick<
  Payment,
  | 'paymentLinkId'
  | 'qrCodeId'
  | 'subscriptionId'
  | 'subscriptionPeriod'
  | 'invoiceId'
  | 'cardSubscriptionId'
>

const nothing = {
  paymentLinkId: null,
  qrCodeId: null,
  subscriptionId: null,
  subscriptionPeriod: null,
  invoiceId: null,
  cardSubscriptionId: null,
}

// Undefined if another payment has reserved it, or if it can no longer be paid.
export async function reserveOffer(
  tx: Tx,
  context: MerchantContext,
  { tenant, kind, id, invoice }: Offer,
  { paymentId, amountMinor }: { readonly paymentId: string; readonly amountMinor: bigint },
): Promise<PaidFor | undefined> {
  switch (kind) {
    case 'link':
      return { ...nothing, paymentLinkId: id }
    case 'code':
      return (await reserveCode(tx, tenant, id, paymentId))
        ? { ...nothing, qrCodeId: id }
        : undefined
    case 'subscription': {
      const subscriptionPeriod = await reservePeriod(tx, tenant, id)
      if (subscriptionPeriod === undefined) return undefined
      return { ...nothing, subscriptionId: id, subscriptionPeriod }
    }
    case 'invoice':
      return (await assertDefined(invoice, 'an invoice without itself').hold(tx, {
        paymentId,
        amountMinor,
      }))
        ? { ...nothing, invoiceId: id }
        : undefined
    case 'card':
      return (await reserveCardCheck(tx, context, tenant, id))
        ? { ...nothing, cardSubscriptionId: id }
        : undefined
  }
}
