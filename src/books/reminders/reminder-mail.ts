// The mail that reminds of an open invoice, in the language of the customer. It says what is still
// to pay now, and leads to the page on which it can be paid.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Brand } from '../../kernel/brand/brand.ts'
import { renderBrandedMail } from '../../kernel/web/branded-mail.tsx'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'

export type ReminderMail = {
  readonly publicUrl: string
  readonly tenant: Tenant
  readonly brand: Brand
  readonly language: PayerLanguage
  readonly senderName: string
  readonly contactName: string
  readonly number: string
  readonly currency: string
  readonly totalMinor: bigint
  readonly dueMinor: bigint
  readonly dueDate: string
  // In the time zone of the customer.
  readonly today: string
  // How to pay otherwise, in the words of the business.
  readonly paymentDetails: string | null
  readonly page: { readonly url: string; readonly takesPayments: boolean }
}

export type WrittenReminder = {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export function writeReminder(mail: ReminderMail): WrittenReminder {
  const { language, senderName, contactName, number, dueDate, page } = mail
  const { reminder: words, terms, privacy, testMode } = language.texts
  const when = whenOf(mail)
  const day = language.day(dueDate)
  const due = language.money(mail.dueMinor, mail.currency)
  const { businessId, environment } = mail.tenant
  const body = renderBrandedMail({
    publicUrl: mail.publicUrl,
    businessId,
    businessName: senderName,
    brand: mail.brand,
    language: language.code,
    warning: environment === 'test' ? `${testMode.label} ${testMode.text}` : undefined,
    labels: { terms, privacy },
    heading: words.headings[when](due, day),
    paragraphs: [
      `${words.greeting(contactName)}\n${words.texts[when](number)}`,
      ...(mail.paymentDetails === null ? [] : [mail.paymentDetails]),
      words.paidMeanwhile,
    ],
    facts: [
      [words.invoice, number],
      [words.dueDate, day],
      ...(mail.totalMinor === mail.dueMinor
        ? []
        : ([[words.total, language.money(mail.totalMinor, mail.currency)]] as const)),
      [words.due, due],
    ],
    action: { text: page.takesPayments ? words.pay : words.see, url: page.url },
  })
  return { subject: words.subjects[when](number, senderName, day), ...body }
}

function whenOf({ dueDate, today }: ReminderMail): 'before' | 'today' | 'after' {
  if (dueDate === today) return 'today'
  return dueDate > today ? 'before' : 'after'
}
