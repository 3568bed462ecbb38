// What a receipt says, as finished texts: the same on the page and in the PDF.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { titleOf } from '../checkout/offer.ts'
import { methodName } from '../payments/method-name.ts'
import type { Receipt } from './receipt.ts'

export type Row = readonly [string, string]

type Reader = { readonly timeZone: string; readonly language: PayerLanguage }

// Paid, Refunded or Partly refunded.
export function receiptStatus(
  { payment: { status } }: Receipt,
  { texts: { ends } }: PayerLanguage,
): string {
  if (status === 'refunded') return ends.refunded
  return status === 'partially_refunded' ? ends.partlyRefunded : ends.paid
}

export function receiptFacts(receipt: Receipt, { timeZone, language }: Reader): Row[] {
  const { payment, offer, detail } = receipt
  const { facts } = language.texts
  const method = detail ? methodName(detail, language) : null
  const reference = detail?.reference ?? null
  return [
    [facts.to, offer.merchantName],
    [facts.for, titleOf(offer, language)],
    [facts.amount, language.money(payment.amountMinor, payment.currency)],
    [facts.paidOn, language.moment(payment.succeededAt ?? payment.updatedAt, timeZone)],
    ...(method === null ? [] : [[facts.method, method] as const]),
    ...(reference === null ? [] : [[facts.reference, reference] as const]),
    [facts.paymentId, payment.id],
  ]
}

// Each refund with its day, and what is left.
export function refundRows({ payment, refunds }: Receipt, { timeZone, language }: Reader): Row[] {
  const { money, texts } = language
  const { amountMinor, refundedMinor, currency } = payment
  if (refunds.length === 0) return []
  return [
    ...refunds.map(
      (refund): Row => [
        language.date(refund.updatedAt, timeZone),
        money(-refund.amountMinor, refund.currency),
      ],
    ),
    [texts.receiptPage.afterRefunds, money(amountMinor - refundedMinor, currency)],
  ]
}
