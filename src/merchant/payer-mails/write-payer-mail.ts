// The words of mails to payers.
import type { Brand } from '../../kernel/brand/brand.ts'
import { type BrandedMail, renderBrandedMail } from '../../kernel/web/branded-mail.tsx'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { Payment, PaymentDetail } from '../payments/payment.ts'
import type { Refund } from '../refunds/refund.ts'

export type PayerMailFacts = {
  readonly publicUrl: string
  readonly businessId: string
  readonly merchantName: string
  readonly brand: Brand
  // What was paid for.
  readonly title: string
  readonly payment: Payment
  readonly detail: Pick<PaymentDetail, 'method' | 'reference'> | undefined
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

export function writeReceipt(facts: PayerMailFacts): WrittenMail {
  const { payment, merchantName, language, timeZone, title } = facts
  const { receipt, facts: names } = language.texts
  const amount = language.money(payment.amountMinor, payment.currency)
  return written(facts, receipt.subject(merchantName, amount), {
    heading: receipt.heading(amount),
    paragraphs: [receipt.text(merchantName)],
    facts: [
      [names.to, merchantName],
      [names.for, title],
      [names.amount, amount],
      [names.paidOn, language.moment(payment.succeededAt ?? payment.updatedAt, timeZone)],
      ...aboutPayment(facts),
    ],
    action: { text: receipt.see, url: pageOf(facts) },
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

type Content = Pick<BrandedMail, 'heading' | 'paragraphs' | 'facts' | 'action'>

function written(facts: PayerMailFacts, subject: string, content: Content): WrittenMail {
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

function warningOf({ isTest, isSimulated, language }: PayerMailFacts): string | undefined {
  const { testMode, demonstration } = language.texts
  if (isTest) return `${testMode.label} ${testMode.text}`
  return isSimulated ? `${demonstration.label} ${demonstration.text}` : undefined
}

function aboutPayment({ payment, detail, language }: PayerMailFacts): [string, string][] {
  const { facts: names, methods } = language.texts
  const { method = null, reference = null } = detail ?? {}
  const known: Readonly<Record<string, string>> = methods
  return [
    ...(method === null ? [] : [[names.method, known[method] ?? method] as [string, string]]),
    ...(reference === null ? [] : [[names.reference, reference] as [string, string]]),
    [names.paymentId, payment.id],
  ]
}

function pageOf({ publicUrl, payment }: PayerMailFacts): string {
  return `${publicUrl}/pay/return/${payment.providerReference}`
}
