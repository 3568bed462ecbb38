// The payer's hosted pages: what to pay, and the state of the payment. Pressing Pay creates the
// payment; opening a page never does.
import { notFound } from '../../kernel/basics/fault.ts'
import {
  type HostedObject,
  hostedReference,
  parseHostedReference,
} from '../../kernel/basics/hosted-reference.ts'
import { emailAddress } from '../../kernel/operations/schemas.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import type { MerchantContext } from '../context.ts'
import { type Pause, secondsLeft } from '../pauses/pause.ts'
import { findPause } from '../pauses/pause-store.ts'
import { ClosedStep, closedTitle, PausedStep } from './checkout-closed.tsx'
import { checkoutAnswer } from './checkout-document.tsx'
import { NotPaidStep, PaidStep, type PayForm, PayStep, WaitingStep } from './checkout-steps.tsx'
import { checkoutStyle, checkoutStylePath } from './checkout-style.ts'
import { type Finished, finishCheckout, type MayAskAgain } from './finish-checkout.ts'
import { type Offer, type OfferState, readAmount, withOutcome } from './offer.ts'
import { openCodeOffer, openLinkOffer, openSubscriptionOffer } from './open-offer.ts'
import { startCheckout } from './start-checkout.ts'

type OpenOffer = (context: MerchantContext, hosted: HostedObject) => Promise<Offer | undefined>

export function checkoutPages(context: MerchantContext, mayAskAgain: MayAskAgain): Page[] {
  return [
    { method: 'GET', path: checkoutStylePath, handle: async () => styleAnswer },
    ...offerPages(context, '/pay/l/:reference', openLinkOffer),
    ...offerPages(context, '/pay/q/:reference', openCodeOffer),
    ...offerPages(context, '/pay/s/:reference', openSubscriptionOffer),
    {
      method: 'GET',
      path: '/pay/return/:reference',
      hosted: 'plain',
      handle: (request) => showReturn(context, mayAskAgain, request),
    },
  ]
}

function offerPages(context: MerchantContext, path: string, open: OpenOffer): Page[] {
  const offerOf = async (request: PageRequest): Promise<Offer> => {
    const offer = await open(context, hostedObject(request))
    if (!offer) throw notFound('page')
    return offer
  }
  return [
    {
      method: 'GET',
      path,
      hosted: 'plain',
      handle: async (request) => showOffer(context, request, await offerOf(request)),
    },
    {
      method: 'POST',
      path,
      hosted: 'costly',
      handle: async (request) => pressPay(context, request, await offerOf(request)),
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
  context: MerchantContext,
  request: PageRequest,
  offer: Offer,
): Promise<PageAnswer> {
  const known = knownToken(request)
  // A browser that has the token is the payer, back from the provider's page, and may continue.
  const isPayer = offer.state === 'taken' && known !== undefined
  if (offer.state !== 'payable' && !isPayer) return closedAnswer(context, offer, offer.state)
  // A payer who pressed Pay before may continue; pressing Pay checks the pause again.
  const { database, clock } = context
  const pause = !known && (await findPause(database.sql, 'payments', clock.now()))
  if (pause) return pausedAnswer(context, offer, pause)
  const token = known ?? newToken(context)
  return formAnswer(context, 200, { offer, token, email: offer.payer?.email })
}

async function pressPay(
  context: MerchantContext,
  { form }: PageRequest,
  offer: Offer,
): Promise<PageAnswer> {
  if (offer.state !== 'payable' && offer.state !== 'taken') {
    return closedAnswer(context, offer, offer.state)
  }
  const posted = form.get('token') ?? ''
  const token = tokenPattern.test(posted) ? posted : newToken(context)
  const email = form.get('email') ?? ''
  const amount = form.get('amount') ?? ''
  const payerEmail = emailAddress().safeParse(email).data
  const amountMinor = readAmount(offer, amount)
  const filled = { offer, token, email, amount }
  if (payerEmail === undefined || typeof amountMinor !== 'bigint') {
    return formAnswer(context, 422, {
      ...filled,
      emailError: payerEmail === undefined ? 'Enter your e-mail address.' : undefined,
      amountError: typeof amountMinor === 'bigint' ? undefined : amountMinor,
    })
  }
  const started = await startCheckout(context, { offer, amountMinor, payerEmail, token })
  switch (started.kind) {
    case 'hand_over':
      return redirectTo(started.url)
    case 'known':
      return redirectTo(`/pay/return/${hostedReference(offer.tenant, started.payment.id)}`)
    case 'paused':
      return pausedAnswer(context, offer, started.pause)
    case 'taken':
      return closedAnswer(context, offer, 'taken')
    case 'used_up': {
      const alert = 'Nothing was charged. Please press Pay again.'
      return formAnswer(context, 409, { ...filled, token: newToken(context), alert })
    }
    case 'unreachable': {
      const alert = 'The payment provider is not responding. Nothing was charged. Please try again.'
      return formAnswer(context, 502, { ...filled, alert })
    }
  }
}

async function showReturn(
  context: MerchantContext,
  mayAskAgain: MayAskAgain,
  request: PageRequest,
): Promise<PageAnswer> {
  const { searchParams } = request.url
  const saysCancelled = searchParams.get('status') === 'cancelled'
  const finished = await finishCheckout(context, hostedObject(request), {
    saysCancelled,
    mayAskAgain,
  })
  if (!finished) throw notFound('payment')
  const { payment, offer, outcome } = finished
  if (outcome === 'waiting') return endAnswer(context, finished)
  if (!offer.returnUrl) return endAnswer(context, finished)
  return redirectTo(withOutcome(offer.returnUrl, payment.id, outcome), [forgetToken(offer)])
}

const ends = {
  success: { title: 'Paid', Step: PaidStep },
  cancelled: { title: 'Not paid', Step: NotPaidStep },
  waiting: { title: 'Waiting', Step: WaitingStep },
} as const

async function endAnswer(context: MerchantContext, finished: Finished): Promise<PageAnswer> {
  const { payment, offer, outcome, money } = finished
  const { title, Step } = ends[outcome]
  const isOver = outcome !== 'waiting'
  return checkoutAnswer(200, {
    title,
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <Step offer={offer} payment={payment} money={money} />,
    ...(isOver
      ? { setCookie: forgetToken(offer) }
      : { reloadPath: `/pay/return/${payment.providerReference}` }),
  })
}

async function formAnswer(
  context: MerchantContext,
  status: number,
  form: PayForm,
): Promise<PageAnswer> {
  const { offer, token } = form
  return checkoutAnswer(status, {
    title: offer.title,
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <PayStep {...form} />,
    setCookie: cookie(context, offer, token),
  })
}

async function closedAnswer(
  context: MerchantContext,
  offer: Offer,
  state: Exclude<OfferState, 'payable'>,
): Promise<PageAnswer> {
  return checkoutAnswer(state === 'taken' ? 409 : 410, {
    title: closedTitle(offer, state),
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <ClosedStep offer={offer} state={state} />,
  })
}

async function pausedAnswer(
  context: MerchantContext,
  offer: Offer,
  pause: Pause,
): Promise<PageAnswer> {
  const answer = checkoutAnswer(503, {
    title: 'Payments are paused',
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <PausedStep offer={offer} endsAt={pause.endsAt} />,
  })
  const seconds = secondsLeft(pause, context.clock.now())
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

// The browser keeps the form's token for this page only, so that going back and pressing Pay again
// finds the same payment. It is deleted when the payment ends: paying again is then a new payment.
const tokenCookie = 'checkout'
const tokenBytes = 18
const tokenPattern = /^[\w-]{16,64}$/
const tokenSeconds = 60 * 60

function newToken({ ids }: MerchantContext): string {
  return ids.randomBytes(tokenBytes).toString('base64url')
}

function knownToken({ headers }: PageRequest): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='))
  const token = pairs.find(([name]) => name === tokenCookie)?.[1]
  return token !== undefined && tokenPattern.test(token) ? token : undefined
}

function cookie({ publicUrl }: MerchantContext, { path }: Offer, token: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const rest = `Path=${path}; Max-Age=${tokenSeconds}; HttpOnly; SameSite=Lax${secure}`
  return `${tokenCookie}=${token}; ${rest}`
}

function forgetToken({ path }: Offer): string {
  return `${tokenCookie}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax`
}

function hostedObject({ url }: PageRequest): HostedObject {
  const hosted = parseHostedReference(url.pathname.split('/')[3] ?? '')
  if (!hosted) throw notFound('page')
  return hosted
}
