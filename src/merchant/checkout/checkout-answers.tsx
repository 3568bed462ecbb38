// The responses of the payer's pages.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { PageAnswer } from '../../kernel/web/page.ts'
import type { MerchantContext } from '../context.ts'
import { type Pause, secondsLeft } from '../pauses/pause.ts'
import {
  type ClosedState,
  ClosedStep,
  closedTitle,
  PausedStep,
  UnknownStep,
  unknownTitle,
} from './checkout-closed.tsx'
import { checkoutAnswer, payPreview } from './checkout-document.tsx'
import { EndStep, endTitle } from './checkout-ends.tsx'
import type { Finished, MayAskAgain } from './finish-checkout.ts'
import type { Invoices } from './invoice-offer.ts'
import type { Offer } from './offer.ts'
import { type PayForm, PayStep } from './pay-step.tsx'
import { forgetAll, forgetToken, keepToken } from './payer-cookies.ts'

// What the pages show that this service does not know.
export type PayerFacts = {
  // For the dates that payers read.
  timeZoneOf(tenant: Tenant): Promise<string>
  // Whether the offer was made for an invoice that is paid.
  isInvoicePaid(offer: Offer): Promise<boolean>
  readonly mayAskAgain: MayAskAgain
  readonly invoices: Invoices
}

export type CheckoutContext = MerchantContext & PayerFacts

export async function endAnswer(context: CheckoutContext, finished: Finished): Promise<PageAnswer> {
  const { payment, offer, outcome } = finished
  const timeZone = await context.timeZoneOf(offer.tenant)
  return checkoutAnswer(200, {
    title: endTitle(finished),
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <EndStep finished={finished} timeZone={timeZone} />,
    setCookies: forgotten(finished),
    ...(outcome === 'waiting' && { reloadPath: `/pay/return/${payment.providerReference}` }),
  })
}

// A payer who tries again finds what they typed.
export function forgotten({ outcome, offer }: Finished): string[] {
  if (outcome === 'waiting') return []
  return outcome === 'success' ? forgetAll(offer) : [forgetToken(offer)]
}

export async function formAnswer(
  context: CheckoutContext,
  status: number,
  form: PayForm,
): Promise<PageAnswer> {
  const { offer, token } = form
  return checkoutAnswer(status, {
    title: offer.title,
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <PayStep {...form} />,
    preview: payPreview(context, offer),
    setCookies: [keepToken(context, offer, token)],
  })
}

export async function closedAnswer(
  context: CheckoutContext,
  offer: Offer,
  state: ClosedState,
): Promise<PageAnswer> {
  return checkoutAnswer(closedStatus(offer, state), {
    title: closedTitle(offer, state),
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <ClosedStep offer={offer} state={state} />,
  })
}

// The page of an invoice shows the invoice, whether it can be paid or not.
function closedStatus({ kind }: Offer, state: ClosedState): number {
  if (kind === 'invoice' && state !== 'taken') return 200
  return state === 'taken' ? 409 : 410
}

export async function pausedAnswer(
  context: CheckoutContext,
  offer: Offer,
  pause: Pause,
): Promise<PageAnswer> {
  const timeZone = await context.timeZoneOf(offer.tenant)
  const answer = checkoutAnswer(503, {
    title: 'Payments are paused',
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <PausedStep offer={offer} endsAt={pause.endsAt} timeZone={timeZone} />,
  })
  const seconds = secondsLeft(pause, context.clock.now())
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

export function unknownAnswer(): PageAnswer {
  return checkoutAnswer(404, {
    title: unknownTitle,
    offer: undefined,
    provider: { isSimulated: false, checkoutOrigins: [] },
    body: <UnknownStep />,
  })
}
