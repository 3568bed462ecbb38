// The payer's hosted pages: what to pay, and the state of the payment. Pressing Pay creates the
// payment; opening a page never does.
import { type HostedObject, parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
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
import { type Offer, withOutcome } from './offer.ts'
import { openCodeOffer, openLinkOffer, openSubscriptionOffer } from './open-offer.ts'
import { orderScript, orderScriptPath } from './order-script.ts'
import { knownToken, newToken, typedBefore } from './payer-cookies.ts'
import { mayBeOwn, pressPay } from './press-pay.tsx'
import { readOrder } from './typed-order.ts'

type OpenOffer = (context: MerchantContext, hosted: HostedObject) => Promise<Offer | undefined>

export function checkoutPages(merchant: MerchantContext, facts: PayerFacts): Page[] {
  const context = { ...merchant, ...facts }
  return [
    { method: 'GET', path: checkoutStylePath, handle: async () => file('css', checkoutStyle) },
    { method: 'GET', path: orderScriptPath, handle: async () => file('javascript', orderScript) },
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

// Named after its content, so it never changes.
function file(type: 'css' | 'javascript', body: string): PageAnswer {
  return {
    status: 200,
    headers: {
      'content-type': `text/${type}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
    },
    body,
  }
}

async function showOffer(
  context: PayerContext,
  request: PageRequest,
  offer: Offer,
): Promise<PageAnswer> {
  if (offer.kind === 'invoice') await context.invoices.view(offer, request)
  const known = knownToken(request)
  // A browser that has the token is the payer, back from the provider's page, and may continue.
  const isPayer = mayBeOwn(offer) && known !== undefined
  if (offer.state !== 'payable' && !isPayer) return closedAnswer(context, offer, offer.state)
  // A payer who pressed Pay before may continue; pressing Pay checks the pause again.
  const { database, clock } = context
  const pause = !known && (await findPause(database.sql, 'payments', clock.now()))
  if (pause) return pausedAnswer(context, offer, pause)
  const token = known ?? newToken(context)
  const typed = typedBefore(request)
  const { price } = offer
  const order =
    price.kind === 'items'
      ? readOrder(offer, price.items, typed?.quantities ?? {}, context.language)
      : undefined
  const answers = { typed: typed?.answers ?? {}, errors: {} }
  return formAnswer(context, 200, { offer, token, ...typed, ...emailOf(offer), order, answers })
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

// A subscription or an invoice is for one payer.
function emailOf({ payer }: Offer) {
  return payer ? { email: payer.email } : {}
}

function hostedObject({ params }: PageRequest): HostedObject | undefined {
  return parseHostedReference(params.reference ?? '')
}
