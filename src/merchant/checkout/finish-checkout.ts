// The payer came back. What the address says about the outcome is hearsay: the provider is asked.
import type { MerchantContext } from '../context.ts'
import { isCollected, isOpen, type Payment } from '../payments/payment.ts'
import { giveUpPayment, resolvePayment } from '../payments/resolve-payment.ts'
import type { HostedObject } from './hosted-reference.ts'
import type { Offer } from './offer.ts'
import { openOfferOf } from './open-offer.ts'

export type Finished = {
  readonly payment: Payment
  readonly offer: Offer
  readonly outcome: 'success' | 'cancelled' | 'waiting'
}

export async function finishCheckout(
  context: MerchantContext,
  { tenant, id }: HostedObject,
  // The payer turned back on the provider's page, which ends its session. Only the payer has this
  // address, so they may say so; if the provider knows of a charge all the same, that counts.
  saysCancelled: boolean,
): Promise<Finished | undefined> {
  const resolved = await resolvePayment(context, tenant, id)
  if (!resolved) return undefined
  let { payment } = resolved
  if (saysCancelled && isOpen(payment) && resolved.charge === 'none') {
    payment = await giveUpPayment(context, tenant, id, 'cancelled by the payer')
  }
  const offer = await openOfferOf(context, tenant, payment)
  if (!offer) return undefined
  return { payment, offer, outcome: outcomeOf(payment) }
}

function outcomeOf(payment: Payment): Finished['outcome'] {
  if (isCollected(payment)) return 'success'
  return isOpen(payment) ? 'waiting' : 'cancelled'
}
