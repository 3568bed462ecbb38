// The payer's hosted pages: what to pay, and the state of the payment. Pressing Pay creates the
// payment; opening a page never does.
import {
  type HostedObject,
  hostedReference,
  parseHostedReference,
} from '../../kernel/basics/hosted-reference.ts'
import { emailAddress } from '../../kernel/operations/schemas.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import type { PayerTexts } from '../../payer-texts/english.ts'
import type { MerchantContext } from '../context.ts'
import { findPause } from '../pauses/pause-store.ts'
import {
  type CheckoutContext,
  closedAnswer,
  endAnswer,
  forgotten,
  formAnswer,
  forPayer,
  type PayerContext,
  type PayerFacts,
  pausedAnswer,
  unknownAnswer,
} from './checkout-answers.tsx'
import { checkoutStyle, checkoutStylePath } from './checkout-style.ts'
import { finishCheckout } from './finish-checkout.ts'
import { type Offer, readAmount, withOutcome } from './offer.ts'
import { openCodeOffer, openLinkOffer, openSubscriptionOffer } from './open-offer.ts'
import { isToken, keepTyped, knownToken, newToken, typedBefore } from './payer-cookies.ts'
import { startCheckout } from './start-checkout.ts'

type OpenOffer = (context: MerchantContext, hosted: HostedObject) => Promise<Offer | undefined>

export function checkoutPages(merchant: MerchantContext, facts: PayerFacts): Page[] {
  const context = { ...merchant, ...facts }
  return [
    { method: 'GET', path: checkoutStylePath, handle: async () => styleAnswer },
    ...offerPages(context, '/pay/l/:reference', openLinkOffer),
    ...offerPages(context, '/pay/q/:reference', openCodeOffer),
    ...offerPages(context, '/pay/s/:reference', openSubscriptionOffer),
    ...offerPages(context, '/i/:reference', (_, page) => context.invoices.open(page)),
    {
      method: 'GET',
      path: '/pay/return/:reference',
      hosted: 'plain',
      handle: (request) => showReturn(forPayer(context, request), request),
    },
  ]
}

function offerPages(context: CheckoutContext, path: string, open: OpenOffer): Page[] {
  const handle =
    (
      show: (context: PayerContext, request: PageRequest, offer: Offer) => Promise<PageAnswer>,
    ): Page['handle'] =>
    async (request) => {
      const payer = forPayer(context, request)
      const hosted = hostedObject(request)
      const offer = hosted && (await open(context, hosted))
      if (!offer) return unknownAnswer(payer)
      const isPaid = offer.state === 'payable' && (await context.isInvoicePaid(offer))
      return show(payer, request, isPaid ? { ...offer, state: 'paid' } : offer)
    }
  return [
    {
      method: 'GET',
      path,
      hosted: 'plain',
      handle: handle(showOffer),
    },
    {
      method: 'POST',
      path,
      hosted: 'costly',
      handle: handle(pressPay),
    },
  ]
}

const styleAnswer: PageAnswer = {
  status: 200,
  headers: {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  },
  body: checkoutStyle,
}

async function showOffer(
  context: PayerContext,
  request: PageRequest,
  offer: Offer,
): Promise<PageAnswer> {
  if (offer.kind === 'invoice') await context.invoices.view(offer, request)
  const known = knownToken(request)
  // A browser that has the token is the payer, back from the provider's page, and may continue.
  const isPayer = offer.state === 'taken' && known !== undefined
  if (offer.state !== 'payable' && !isPayer) return closedAnswer(context, offer, offer.state)
  // A payer who pressed Pay before may continue; pressing Pay checks the pause again.
  const { database, clock } = context
  const pause = !known && (await findPause(database.sql, 'payments', clock.now()))
  if (pause) return pausedAnswer(context, offer, pause)
  const token = known ?? newToken(context)
  const typed = typedBefore(request)
  return formAnswer(context, 200, { offer, token, ...typed, ...emailOf(offer) })
}

async function pressPay(
  context: PayerContext,
  { form }: PageRequest,
  offer: Offer,
): Promise<PageAnswer> {
  if (offer.state !== 'payable' && offer.state !== 'taken') {
    return closedAnswer(context, offer, offer.state)
  }
  const posted = form.get('token') ?? ''
  const token = isToken(posted) ? posted : newToken(context)
  const email = form.get('email') ?? ''
  const amount = form.get('amount') ?? ''
  const payerEmail = emailAddress().safeParse(email).data
  const { texts } = context.language
  const amountMinor = readAmount(offer, amount, context.language)
  const filled = { offer, token, email, amount }
  if (isOtherAmount(offer, form.get('due'))) {
    return formAnswer(context, 409, { offer, token, email, alert: texts.invoice.changed })
  }
  if (payerEmail === undefined || typeof amountMinor !== 'bigint') {
    return formAnswer(context, 422, {
      ...filled,
      emailError: payerEmail === undefined ? emailProblem(email, texts) : undefined,
      amountError: typeof amountMinor === 'bigint' ? undefined : amountMinor,
    })
  }
  const started = await startCheckout(context, {
    offer,
    amountMinor,
    payerEmail,
    payerLocale: context.language.locale,
    token,
  })
  switch (started.kind) {
    case 'hand_over':
      return redirectTo(started.url, [keepTyped(context, offer, { email, amount })])
    case 'known':
      return redirectTo(`/pay/return/${hostedReference(offer.tenant, started.payment.id)}`)
    case 'paused':
      return pausedAnswer(context, offer, started.pause)
    case 'taken':
      return closedAnswer(context, offer, 'taken')
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

async function showReturn(context: PayerContext, request: PageRequest): Promise<PageAnswer> {
  const { searchParams } = request.url
  const saysCancelled = searchParams.get('status') === 'cancelled'
  const hosted = hostedObject(request)
  const { mayAskAgain } = context
  const finished = hosted && (await finishCheckout(context, hosted, { saysCancelled, mayAskAgain }))
  if (!finished) return unknownAnswer(context)
  const { payment, offer, outcome } = finished
  if (outcome === 'waiting' || !offer.returnUrl) return endAnswer(context, finished)
  return redirectTo(withOutcome(offer.returnUrl, payment.id, outcome), forgotten(finished))
}

// What is due on an invoice may have changed since the page was opened.
function isOtherAmount({ kind, price }: Offer, seen: string | null): boolean {
  if (kind !== 'invoice' || seen === null || price.kind === 'open') return false
  return seen !== String(price.amountMinor)
}

// A subscription or an invoice is for one payer.
function emailOf({ payer }: Offer) {
  return payer ? { email: payer.email } : {}
}

function emailProblem(email: string, { problems }: PayerTexts): string {
  return email.trim() === '' ? problems.emailMissing : problems.emailWrong
}

function hostedObject({ params }: PageRequest): HostedObject | undefined {
  return parseHostedReference(params.reference ?? '')
}
