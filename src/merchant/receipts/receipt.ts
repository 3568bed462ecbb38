// The receipt of a payment that was collected. Its address has a random part, because the id of a
// payment is known to others: it is in webhooks and in the address to which payers return.
import { timingSafeEqual } from 'node:crypto'
import type { Ids } from '../../kernel/basics/id.ts'
import type { Offer } from '../checkout/offer.ts'
import type { OrderLine } from '../payment-links/payment-link-item.ts'
import type { Payment, PaymentDetail } from '../payments/payment.ts'
import { isOfMerchant, type Refund } from '../refunds/refund.ts'

export type Receipt = {
  readonly payment: Payment
  readonly detail: PaymentDetail | undefined
  readonly offer: Offer
  // What it was for, if the link has items.
  readonly lines: readonly OrderLine[]
  // What the payer got back of it, oldest first.
  readonly refunds: readonly Refund[]
}

const keyBytes = 16

export function newReceiptKey({ randomBytes }: Pick<Ids, 'randomBytes'>): string {
  return randomBytes(keyBytes).toString('base64url')
}

type Addressed = Pick<Payment, 'providerReference' | 'receiptKey'>

// A payment from before there were receipts has only the page to which its payer came back.
export function receiptPath({ providerReference, receiptKey }: Addressed): string {
  return receiptKey === null
    ? `/pay/return/${providerReference}`
    : `/receipt/${providerReference}/${receiptKey}`
}

export function hasReceiptKey({ receiptKey }: Pick<Payment, 'receiptKey'>, key: string): boolean {
  if (receiptKey === null) return false
  const [own, given] = [Buffer.from(receiptKey), Buffer.from(key)]
  return own.length === given.length && timingSafeEqual(own, given)
}

// Money on its way back counts; a refund that failed does not.
export function isShownRefund(refund: Refund): boolean {
  return isOfMerchant(refund) && (refund.status === 'accepted' || refund.status === 'settled')
}
