// Pay was pressed: reads what the payer typed, starts the payment, and leads to the provider's page
// or shows the form again.
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import { emailAddress } from '../../kernel/operations/schemas.ts'
import { type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import type { PayerTexts } from '../../payer-texts/english.ts'
import {
  closedAnswer,
  formAnswer,
  type PayerContext,
  pausedAnswer,
  unknownAnswer,
} from './checkout-answers.tsx'
import { type Offer, readAmount } from './offer.ts'
import { openLinkOffer } from './open-offer.ts'
import { isToken, keepTyped, newToken } from './payer-cookies.ts'
import { startCheckout } from './start-checkout.ts'
import { readAnswers } from './typed-answers.ts'
import { isReady, readOrder, shortages, typedQuantities } from './typed-order.ts'

export async function pressPay(
  context: PayerContext,
  { form }: PageRequest,
  offer: Offer,
): Promise<PageAnswer> {
  if (offer.state !== 'payable' && !mayBeOwn(offer)) {
    return closedAnswer(context, offer, offer.state)
  }
  const asked = readPressed(context, form, offer)
  const { token, email, amount, order, answers, payerEmail, amountMinor } = asked
  const { texts, money } = context.language
  const filled = { offer, token, email, amount, order, answers }
  if (isOtherAmount(offer, form.get('due'))) {
    return formAnswer(context, 409, { offer, token, email, alert: texts.invoice.changed })
  }
  const isComplete = isReady(order) && Object.keys(answers.errors).length === 0
  if (payerEmail === undefined || typeof amountMinor !== 'bigint' || !isComplete) {
    return formAnswer(context, 422, {
      ...filled,
      emailError: payerEmail === undefined ? emailProblem(email, texts) : undefined,
      amountError: typeof amountMinor === 'string' ? amountMinor : undefined,
    })
  }
  // The payer has seen another total: prices have changed, or the browser runs no script.
  if (order && form.get('total') !== String(amountMinor)) {
    const alert = texts.order.newTotal(money(amountMinor, offer.currency))
    return formAnswer(context, 409, { ...filled, alert })
  }
  const lines = order?.lines ?? []
  const started = await startCheckout(context, {
    offer,
    amountMinor,
    payerEmail,
    payerLocale: context.language.locale,
    token,
    lines,
    answers: answers.answers,
  })
  switch (started.kind) {
    case 'hand_over': {
      const typed = { email, amount, quantities: order?.typed, answers: answers.typed }
      return redirectTo(started.url, [keepTyped(context, offer, typed)])
    }
    case 'known':
      return redirectTo(`/pay/return/${hostedReference(offer.tenant, started.payment.id)}`)
    case 'paused':
      return pausedAnswer(context, offer, started.pause)
    case 'taken':
      return closedAnswer(context, offer, 'taken')
    case 'changed':
    case 'short':
      return orderAgain(context, asked, started.kind)
    case 'used_up': {
      const alert = texts.pay.pressAgain
      return formAnswer(context, 409, { ...filled, token: newToken(context), alert })
    }
    case 'unreachable': {
      const alert = texts.pay.unreachable
      return formAnswer(context, 502, { ...filled, alert })
    }
  }
}

type Pressed = ReturnType<typeof readPressed>

// What the payer typed.
function readPressed(context: PayerContext, form: URLSearchParams, offer: Offer) {
  const posted = form.get('token') ?? ''
  const email = form.get('email') ?? ''
  const amount = form.get('amount') ?? ''
  const { price } = offer
  const order =
    price.kind === 'items'
      ? readOrder(offer, price.items, typedQuantities(price.items, form), context.language)
      : undefined
  return {
    offer,
    token: isToken(posted) ? posted : newToken(context),
    email,
    amount,
    order,
    answers: readAnswers(offer.payerFields ?? {}, form, context.language),
    payerEmail: emailAddress().safeParse(email).data,
    amountMinor: order ? order.totalMinor : readAmount(offer, amount, context.language),
  }
}

// The link has changed, or others were faster. Shows it as it is now.
async function orderAgain(
  context: PayerContext,
  { offer: { tenant, id }, token, email, order: before, answers }: Pressed,
  why: 'changed' | 'short',
): Promise<PageAnswer> {
  const { language } = context
  const offer = await openLinkOffer(context, { tenant, id })
  if (offer?.price.kind !== 'items') return unknownAnswer(context)
  if (offer.state !== 'payable') return closedAnswer(context, offer, offer.state)
  const { items } = offer.price
  const order = readOrder(offer, items, before?.typed ?? {}, language)
  const { texts, money } = language
  const alert =
    why === 'short'
      ? texts.order.short
      : texts.order.newTotal(money(order.totalMinor, offer.currency))
  const errors = { ...order.errors, ...shortages(items, order, language) }
  const filled = { offer, token, email, answers, order: { ...order, errors } }
  return formAnswer(context, 409, { ...filled, alert })
}

// Whether the payer's own payment may be what keeps it from being paid.
export function mayBeOwn({ state }: Offer): boolean {
  return state === 'taken' || state === 'soldOut'
}

// What is due on an invoice may have changed since the page was opened.
function isOtherAmount({ kind, price }: Offer, seen: string | null): boolean {
  if (kind !== 'invoice' || seen === null) return false
  return 'amountMinor' in price && seen !== String(price.amountMinor)
}

function emailProblem(email: string, { problems }: PayerTexts): string {
  return email.trim() === '' ? problems.emailMissing : problems.emailWrong
}
