// The card that a subscription is charged on.
import type { MerchantContext } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import type { ChargeFact } from '../provider/provider.ts'
import { type Subscription, sealedCardRow } from './subscription.ts'

export type CollectedCard = Pick<ChargeFact, 'token' | 'card'>

// The card of a payment that the payer made. Facts arrive in any order, so the newest payment
// decides, not the newest fact. Undefined if the card can't be charged again, or is older than the
// saved one.
export function cardOf(
  { secrets }: Pick<MerchantContext, 'secrets'>,
  { id, cardPaymentId }: Pick<Subscription, 'id' | 'cardPaymentId'>,
  payment: Payment,
  { token, card }: CollectedCard,
) {
  // Ids sort by creation time.
  if (token === null || (cardPaymentId !== null && cardPaymentId > payment.id)) return undefined
  return {
    cardSealed: secrets.seal(Buffer.from(token), sealedCardRow(id)),
    cardEmail: payment.payerEmail,
    // Null is of a payment of a real provider, from before providers were kept.
    cardProvider: payment.provider ?? 'flutterwave',
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
    cardPaymentId: payment.id,
  } as const
}
