// The words of mails to payers.
import type { Brand } from '../../kernel/brand/brand.ts'
import { type BrandedMail, renderBrandedMail } from '../../kernel/web/branded-mail.tsx'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { lineAmount, type OrderLine } from '../payment-links/payment-link-item.ts'
import { methodName } from '../payments/method-name.ts'
import type { Payment, PaymentDetail } from '../payments/payment.ts'
import { receiptPath } from '../receipts/receipt.ts'
import type { Refund } from '../refunds/refund.ts'
import type { PaidPeriod } from './read-renewal.ts'

export type PayerMailFacts = {
  readonly publicUrl: string
  readonly businessId: string
  readonly merchantName: string
  readonly brand: Brand
  // What was paid for.
  readonly title: string
  readonly payment: Payment
  // If the link has items.
  readonly lines: readonly OrderLine[]
  readonly detail: PaymentDetail | undefined
  readonly timeZone: string
  readonly language: PayerLanguage
  readonly isTest: boolean
  // No real money, although it is not the sandbox.
  readonly isSimulated: boolean
}

export type WrittenMail = {
  readonly subject: string
  readonly text: string
  readonly html: string
}

// With `period`, of a subscription.
export function writeReceipt(facts: PayerMailFacts, period?: PaidPeriod): WrittenMail {
  const { payment, merchantName, language, timeZone, title } = facts
  const { receipt, facts: names, subscriber } = language.texts
  const { nextDay = null, endsThen = false, pageUrl = null } = period ?? {}
  const amount = language.money(payment.amountMinor, payment.currency)
  return written(facts, receipt.subject(merchantName, amount), {
    heading: receipt.heading(amount),
    paragraphs: [receipt.text(merchantName)],
    facts: [
      [names.to, merchantName],
      [names.for, title],
      ...orderRows(facts),
      [names.amount, amount],
      [names.paidOn, language.moment(payment.succeededAt ?? payment.updatedAt, timeZone)],
      ...aboutPayment(facts),
      ...(nextDay === null
        ? []
        : [[endsThen ? subscriber.endsOn : subscriber.nextCharge, language.day(nextDay)] as Row]),
    ],
    action: { text: receipt.see, url: pageOf(facts) },
    ...(pageUrl !== null && { links: [{ text: receipt.manage, url: pageUrl }] }),
  })
}

export function writeRefundNotice(facts: PayerMailFacts, refund: Refund): WrittenMail {
  const { payment, merchantName, language, timeZone, title } = facts
  const { refundNotice, facts: names } = language.texts
  const amount = language.money(refund.amountMinor, refund.currency)
  return written(facts, refundNotice.subject(merchantName, amount), {
    heading: refundNotice.heading(amount),
    paragraphs: [refundNotice.causes[refund.cause](merchantName), refundNotice.text],
    facts: [
      [names.from, merchantName],
      [names.for, title],
      [names.refunded, amount],
      [names.refundedOn, language.moment(refund.updatedAt, timeZone)],
      [names.payment, language.money(payment.amountMinor, payment.currency)],
      ...aboutPayment(facts),
    ],
    action: { text: refundNotice.see, url: pageOf(facts) },
  })
}

type Row = [string, string]

type Content = Pick<BrandedMail, 'heading' | 'paragraphs' | 'facts' | 'action' | 'links'>

type Sender = Pick<
  PayerMailFacts,
  'publicUrl' | 'businessId' | 'merchantName' | 'brand' | 'language' | 'isTest' | 'isSimulated'
>

export function written(facts: Sender, subject: string, content: Content): WrittenMail {
  const { publicUrl, businessId, merchantName, brand, language } = facts
  const { terms, privacy } = language.texts
  const mail = renderBrandedMail({
    publicUrl,
    businessId,
    businessName: merchantName,
    brand,
    language: language.code,
    warning: warningOf(facts),
    labels: { terms, privacy },
    ...content,
  })
  return { subject, ...mail }
}

function warningOf({ isTest, isSimulated, language }: Sender): string | undefined {
  const { testMode, demonstration } = language.texts
  if (isTest) return `${testMode.label} ${testMode.text}`
  return isSimulated ? `${demonstration.label} ${demonstration.text}` : undefined
}

// Such as `T-shirt, 2 × ₦25.00`, and the amount.
function orderRows({ lines, payment: { currency }, language: { money } }: PayerMailFacts): Row[] {
  return lines.map((line) => [
    `${line.name}, ${line.quantity} × ${money(line.unitAmountMinor, currency)}`,
    money(lineAmount(line), currency),
  ])
}

function aboutPayment({ payment, detail, language }: PayerMailFacts): Row[] {
  const { facts: names } = language.texts
  const method = detail && methodName(detail, language)
  const { reference = null } = detail ?? {}
  return [
    ...(method ? [[names.method, method] as Row] : []),
    ...(reference === null ? [] : [[names.reference, reference] as Row]),
    [names.paymentId, payment.id],
  ]
}

function pageOf({ publicUrl, payment }: PayerMailFacts): string {
  return `${publicUrl}${receiptPath(payment)}`
}
