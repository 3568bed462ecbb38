// What a new payment is for, held for it where it can be paid once only.
import type { Tx } from '../../kernel/db/database.ts'
import type { Payment } from '../payments/payment.ts'
import { takeCode } from '../payments/take-code.ts'
import { takePeriod } from '../subscriptions/take-period.ts'
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

// Undefined when another payment holds it, or it cannot be paid any more.
export async function takeOffer(
  tx: Tx,
  { tenant, kind, id }: Offer,
  paymentId: string,
): Promise<PaidFor | undefined> {
  switch (kind) {
    case 'link':
      return { ...nothing, paymentLinkId: id }
    case 'code':
      return (await takeCode(tx, tenant, id, paymentId)) ? { ...nothing, qrCodeId: id } : undefined
    case 'subscription': {
      const subscriptionPeriod = await takePeriod(tx, tenant, id)
      if (subscriptionPeriod === undefined) return undefined
      return { ...nothing, subscriptionId: id, subscriptionPeriod }
    }
  }
}
