// The words of mails to subscribers.
import { payerReason } from '../checkout/payer-reason.ts'
import { cardName } from '../payments/method-name.ts'
import type { Payment } from '../payments/payment.ts'
import { intervalOf, type Plan } from '../subscriptions/plan.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriberMail } from './send-subscriber-mail.ts'
import { type PayerMailFacts, type WrittenMail, written } from './write-payer-mail.ts'

export type SubscriberFacts = Pick<
  PayerMailFacts,
  'publicUrl' | 'businessId' | 'merchantName' | 'brand' | 'language' | 'isTest' | 'isSimulated'
> & {
  readonly plan: Plan
  readonly subscription: Subscription
  // The payment whose failure is told, and the page of the invoice that it was for.
  readonly failed?: Payment | undefined
  readonly invoiceUrl?: string | undefined
  readonly pageUrl: string
}

export function writeSubscriberMail(facts: SubscriberFacts, told: SubscriberMail): WrittenMail {
  switch (told.kind) {
    case 'subscription_start':
      return started(facts, told.day)
    case 'failed_renewal':
      return told.day === null ? failedInvoice(facts) : failed(facts, told.day)
    case 'subscription_end':
      return ended(facts, told.day)
  }
}

function started(facts: SubscriberFacts, nextDay: string): WrittenMail {
  const { merchantName, language, plan, pageUrl } = facts
  const { subscriptionStart: texts, subscriber } = language.texts
  return written(facts, texts.subject(merchantName, plan.name), {
    heading: texts.heading,
    paragraphs: [texts.text(merchantName)],
    facts: [...aboutPlan(facts), [subscriber.nextCharge, language.day(nextDay)]],
    action: { text: texts.manage, url: pageUrl },
  })
}

function failed(facts: SubscriberFacts, nextDay: string): WrittenMail {
  const { merchantName, language, plan, pageUrl } = facts
  const { failedRenewal: texts, subscriber } = language.texts
  return written(facts, texts.subject(merchantName, plan.name), {
    heading: texts.heading(language.money(plan.amountMinor, plan.currency)),
    paragraphs: [whyFailed(facts), texts.text(language.day(nextDay))].filter((text) => text !== ''),
    facts: [...aboutPlan(facts), [subscriber.nextRetry, language.day(nextDay)]],
    action: { text: texts.change, url: pageUrl },
  })
}

// It is not tried again: the customer pays the invoice on its page, or changes the card for the
// next ones.
function failedInvoice(facts: SubscriberFacts): WrittenMail {
  const { merchantName, language, plan, pageUrl, failed: payment, invoiceUrl } = facts
  const { failedRenewal: texts } = language.texts
  const { amountMinor, currency } = payment ?? plan
  const change = { text: texts.changeOnly, url: pageUrl }
  return written(facts, texts.subject(merchantName, plan.name), {
    heading: texts.heading(language.money(amountMinor, currency)),
    paragraphs: [whyFailed(facts), texts.invoiceOpen].filter((text) => text !== ''),
    facts: aboutPlan(facts),
    action: invoiceUrl === undefined ? change : { text: texts.payInvoice, url: invoiceUrl },
    ...(invoiceUrl !== undefined && { links: [change] }),
  })
}

// `lastDay`: null if it has ended.
function ended(facts: SubscriberFacts, lastDay: string | null): WrittenMail {
  const { merchantName, language, plan, pageUrl } = facts
  const { subscriptionEnd: texts } = language.texts
  return written(facts, texts.subject(merchantName, plan.name), {
    heading: lastDay === null ? texts.ended : texts.ends(language.day(lastDay)),
    paragraphs: [
      ...(facts.failed ? [texts.unpaid, whyFailed(facts)] : []),
      texts.text(merchantName),
    ],
    facts: aboutPlan(facts).slice(0, 2),
    action: { text: texts.see, url: pageUrl },
  })
}

function whyFailed({ failed: payment, language }: SubscriberFacts): string {
  return payment ? payerReason(payment, language.texts) : ''
}

function aboutPlan({ plan, subscription, merchantName, language }: SubscriberFacts) {
  const { facts: names, subscriber, pay } = language.texts
  const { unit, count } = intervalOf(plan)
  const price = `${language.money(plan.amountMinor, plan.currency)} ${pay.every[unit](count)}`
  const rows: [string, string][] = [
    [names.for, `${plan.name}, ${merchantName}`],
    [subscriber.price, price],
  ]
  if (subscription.cardSealed !== null) {
    rows.push([subscriber.card, cardName(subscription, language)])
  }
  return rows
}
