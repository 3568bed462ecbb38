// A subscriber replaces the card: what is going to happen, the provider's page, and the result.
import { z } from 'zod'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { PageAnswer, PageRequest } from '../../kernel/web/page.ts'
import { redirectTo } from '../../kernel/web/page.ts'
import {
  closedAnswer,
  type PayerContext,
  pausedAnswer,
  unknownAnswer,
} from '../checkout/checkout-answers.tsx'
import { checkoutAnswer } from '../checkout/checkout-document.tsx'
import { knownAmount, type Offer } from '../checkout/offer.ts'
import { forgetToken, isToken, keepToken, knownToken, newToken } from '../checkout/payer-cookies.ts'
import { startCheckout } from '../checkout/start-checkout.ts'
import { isOpen, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { abandonPayment, resolvePayment } from '../payments/resolve-payment.ts'
import { cardCheckMinor, mayChangeCard } from '../subscriptions/check-card.ts'
import { CardForm, CardResult, cardResultTitle, resultOf } from './card-steps.tsx'
import { readSubscriber, type Subscriber } from './read-subscriber.ts'

export async function showChangeCard(
  context: PayerContext,
  subscriber: Subscriber,
  request: PageRequest,
): Promise<PageAnswer> {
  const offer = await cardOffer(context, subscriber)
  if (offer.state !== 'payable') return closedCard(context, subscriber, offer)
  const token = knownToken(request) ?? newToken(context)
  return cardForm(context, 200, { subscriber, offer, token })
}

export async function pressChangeCard(
  context: PayerContext,
  subscriber: Subscriber,
  { form }: PageRequest,
): Promise<PageAnswer> {
  const offer = await cardOffer(context, subscriber)
  if (offer.state !== 'payable') return closedCard(context, subscriber, offer)
  const { texts } = context.language
  const posted = form.get('token') ?? ''
  const token = isToken(posted) ? posted : newToken(context)
  const started = await startCheckout(context, {
    offer,
    amountMinor: amountOf(offer),
    // The saved card belongs to this address.
    payerEmail: subscriber.subscription.payerEmail,
    payerLocale: context.language.locale,
    token,
  })
  const filled = { subscriber, offer, token }
  switch (started.kind) {
    case 'hand_over':
      return redirectTo(started.url)
    case 'known':
      return redirectTo(`${subscriber.path}/card/${started.payment.id}`)
    case 'paused':
      return pausedAnswer(context, offer, started.pause)
    case 'taken':
    // Only a link has items.
    case 'changed':
    case 'short':
      return cardForm(context, 409, { ...filled, alert: texts.subscriber.cardTaken })
    case 'used_up':
      return cardForm(context, 409, {
        ...filled,
        token: newToken(context),
        alert: texts.pay.pressAgain,
      })
    case 'unreachable':
      return cardForm(context, 502, { ...filled, alert: texts.pay.unreachable })
  }
}

// Back from the provider, which is asked what happened.
export async function showCardResult(
  context: PayerContext,
  seen: Subscriber,
  { params, url }: PageRequest,
): Promise<PageAnswer> {
  const { tenant } = seen.offer
  const id = z.uuid().safeParse(params.payment).data
  const before = id && (await findPayment(context.database.sql, tenant, id))
  if (!before || before.cardSubscriptionId !== seen.subscription.id) return unknownAnswer(context)
  const saysCancelled = url.searchParams.get('status') === 'cancelled'
  const payment = await latest(context, seen, before, saysCancelled)
  const hosted = parseHostedReference(params.reference ?? '')
  // With the card that it has now.
  const subscriber = (hosted && (await readSubscriber(context, hosted))) ?? seen
  const result = resultOf(payment, subscriber)
  const { language } = context
  return checkoutAnswer(context, 200, {
    title: cardResultTitle(result, language),
    offer: subscriber.offer,
    provider: await context.providerFor(tenant),
    body: <CardResult {...{ result, payment, subscriber, language }} />,
    ...(result === 'waiting'
      ? { reloadPath: `${subscriber.path}/card/${payment.id}` }
      : // The next change is another one.
        { setCookies: [forgetToken({ ...subscriber.offer, path: cardPath(subscriber) })] }),
  })
}

// The payer cancelled on the provider's page, which ends its session, unless there is a charge.
async function latest(
  context: PayerContext,
  { offer: { tenant } }: Subscriber,
  before: Payment,
  saysCancelled: boolean,
): Promise<Payment> {
  if (!isOpen(before)) return before
  const resolved = await resolvePayment(context, tenant, before.id)
  if (!resolved) return before
  const { payment, charge } = resolved
  const isGivenUp = saysCancelled && payment.status === 'pending' && charge === 'none'
  if (!isGivenUp) return payment
  return abandonPayment(context, tenant, payment.id, 'cancelled by the payer')
}

async function cardOffer(context: PayerContext, subscriber: Subscriber): Promise<Offer> {
  const { offer, subscription, path } = subscriber
  const provider = await context.providerFor(offer.tenant)
  const amountMinor = cardCheckMinor(provider, offer.currency)
  const isOpenNow = offer.state !== 'closed' && mayChangeCard(subscription)
  return {
    ...offer,
    kind: 'card',
    path: cardPath(subscriber),
    price: { kind: 'fixed', amountMinor },
    backPath: (paymentId) => `${path}/card/${paymentId}`,
    state: isOpenNow ? 'payable' : offer.state === 'closed' ? 'closed' : 'disabled',
  }
}

function cardPath({ path }: Subscriber): string {
  return `${path}/card`
}

function amountOf(offer: Offer): bigint {
  return knownAmount(offer) ?? 0n
}

function closedCard(context: PayerContext, subscriber: Subscriber, offer: Offer) {
  if (offer.state === 'closed') return closedAnswer(context, offer, 'closed')
  return redirectTo(subscriber.path)
}

type FilledForm = {
  readonly subscriber: Subscriber
  readonly offer: Offer
  readonly token: string
  readonly alert?: string
}

async function cardForm(
  context: PayerContext,
  status: number,
  filled: FilledForm,
): Promise<PageAnswer> {
  const { offer, token } = filled
  const { language } = context
  return checkoutAnswer(context, status, {
    title: language.texts.subscriber.cardTitle,
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <CardForm {...filled} amountMinor={amountOf(offer)} language={language} />,
    setCookies: [keepToken(context, offer, token)],
  })
}
