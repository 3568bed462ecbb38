// Reserves the items, code, period, invoice or check of a card of a new payment.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import type { OrderLine } from '../payment-links/payment-link-item.ts'
import type { Payment } from '../payments/payment.ts'
import { reserveCode } from '../payments/reserve-code.ts'
import { reserveItems } from '../payments/reserve-items.ts'
import { reserveCardCheck } from '../subscriptions/check-card.ts'
import { reservePeriod } from '../subscriptions/reserve-period.ts'
import type { Offer } from './offer.ts'

export type PaidFor = Pick<
  Payment,
  | 'paymentLinkId'
  | 'isItemised'
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
  isItemised: false,
}

type Reserving = {
  readonly paymentId: string
  readonly amountMinor: bigint
  readonly lines: readonly OrderLine[]
}

// taken: another payment has reserved it, or it can no longer be paid. changed: its price is
// another by now. short: too little of an item is left.
export type NotFree = 'taken' | 'changed' | 'short'

export async function reserveOffer(
  tx: Tx,
  context: MerchantContext,
  { tenant, kind, id, invoice }: Offer,
  { paymentId, amountMinor, lines }: Reserving,
): Promise<PaidFor | NotFree> {
  switch (kind) {
    case 'link': {
      const isItemised = lines.length > 0
      const reserved = isItemised ? await reserveItems(tx, tenant, id, lines) : 'reserved'
      return reserved === 'reserved' ? { ...nothing, paymentLinkId: id, isItemised } : reserved
    }
    case 'code':
      return (await reserveCode(tx, tenant, id, paymentId)) ? { ...nothing, qrCodeId: id } : 'taken'
    case 'subscription': {
      const subscriptionPeriod = await reservePeriod(tx, tenant, id)
      if (subscriptionPeriod === undefined) return 'taken'
      return { ...nothing, subscriptionId: id, subscriptionPeriod }
    }
    case 'invoice':
      return (await assertDefined(invoice, 'an invoice without itself').hold(tx, {
        paymentId,
        amountMinor,
      }))
        ? { ...nothing, invoiceId: id }
        : 'taken'
    case 'card':
      return (await reserveCardCheck(tx, context, tenant, id))
        ? { ...nothing, cardSubscriptionId: id }
        : 'taken'
  }
}
