// The payment of a charge that we make ourselves, on a saved card.
import { addSeconds } from '../../kernel/basics/clock.ts'
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Payment } from '../payments/payment.ts'
import type { Subscription } from './subscription.ts'

// How long an unknown charge is looked up and sent again before it counts as failed.
const unknownSecondsMax = 24 * 60 * 60

type Charged = Pick<
  Payment,
  'currency' | 'amountMinor' | 'agreedFeeMinor' | 'provider' | 'receiptKey'
> &
  Partial<Pick<Payment, 'subscriptionId' | 'subscriptionPeriod' | 'invoiceId'>>

// The provider may have it from now on, so it can't be cancelled.
export function cardPayment(
  tenant: Tenant,
  id: string,
  { cardEmail, payerEmail, payerName, payerLocale }: Subscription,
  charged: Charged,
  now: Date,
): Payment {
  return {
    id,
    status: 'processing',
    refundedMinor: 0n,
    feeMinor: null,
    netMinor: null,
    paymentLinkId: null,
    qrCodeId: null,
    subscriptionId: null,
    subscriptionPeriod: null,
    invoiceId: null,
    ...charged,
    cardSubscriptionId: null,
    isItemised: false,
    payerAnswers: null,
    splitRecipientId: null,
    splitMinor: null,
    splitRule: null,
    payerEmail: cardEmail ?? payerEmail,
    payerName,
    payerLocale,
    failureReason: null,
    providerReference: hostedReference(tenant, id),
    providerTransactionId: null,
    checkoutUrl: null,
    checkoutExpiresAt: addSeconds(now, unknownSecondsMax),
    createdAt: now,
    updatedAt: now,
    succeededAt: null,
    settledAt: null,
  }
}
