// Reserves the code or period of a new payment, if it can be paid only once.
import type { Tx } from '../../kernel/db/database.ts'
import type { Payment } from '../payments/payment.ts'
import { reserveCode } from '../payments/reserve-code.ts'
import { reservePeriod } from '../subscriptions/reserve-period.ts'
import type { Offer } from './offer.ts'

export type PaidFor = Pick<
  Payment,
  'paymentLinkId' | 'qrCodeId' | 'subscriptionId' | 'subscriptionPeriod'
>

const nothing = {
  paymentLinkId: null,
  qrCodeId: null,
  subscriptionId: null,
  subscriptionPeriod: null,
}

// Undefined if another payment has reserved it, or if it can no longer be paid.
export async function reserveOffer(
  tx: Tx,
  { tenant, kind, id }: Offer,
  paymentId: string,
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
  }
}
