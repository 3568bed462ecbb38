// The responses of the payer's pages.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { PageAnswer, PageRequest } from '../../kernel/web/page.ts'
import { keepLanguage, languageOf, type PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { MerchantContext } from '../context.ts'
import { type Pause, secondsLeft } from '../pauses/pause.ts'
import {
  type ClosedState,
  ClosedStep,
  closedTitle,
  PausedStep,
  UnknownStep,
} from './checkout-closed.tsx'
import { checkoutAnswer, payPreview } from './checkout-document.tsx'
import { EndStep, endTitle } from './checkout-ends.tsx'
import type { Finished, MayAskAgain } from './finish-checkout.ts'
import type { Invoices } from './invoice-offer.ts'
import { type Offer, titleOf } from './offer.ts'
import { orderScriptPath } from './order-script.ts'
import { hasChoice, type PayForm, PayStep } from './pay-step.tsx'
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

// One payer, in their language.
export type PayerContext = CheckoutContext & {
  readonly language: PayerLanguage
  // The path of the page.
  readonly path: string
  readonly languageCookies: readonly string[]
}

export function forPayer(context: CheckoutContext, request: PageRequest): PayerContext {
  return {
    ...context,
    language: languageOf(request),
    path: request.url.pathname,
    languageCookies: keepLanguage(request, context.publicUrl),
  }
}

export async function endAnswer(context: PayerContext, finished: Finished): Promise<PageAnswer> {
  const { payment, offer, outcome } = finished
  const { language } = context
  const timeZone = await context.timeZoneOf(offer.tenant)
  return checkoutAnswer(context, 200, {
    title: endTitle(finished, language.texts),
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <EndStep finished={finished} timeZone={timeZone} language={language} />,
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
  context: PayerContext,
  status: number,
  form: PayForm,
): Promise<PageAnswer> {
  const { offer, token } = form
  const { language } = context
  return checkoutAnswer(context, status, {
    title: titleOf(offer, language),
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <PayStep {...form} language={language} />,
    preview: payPreview(context, offer),
    scriptPath: hasChoice(offer) ? orderScriptPath : undefined,
    setCookies: [keepToken(context, offer, token)],
  })
}

export async function closedAnswer(
  context: PayerContext,
  offer: Offer,
  state: ClosedState,
): Promise<PageAnswer> {
  const { language } = context
  return checkoutAnswer(context, closedStatus(offer, state), {
    title: closedTitle(offer, state, language.texts),
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <ClosedStep offer={offer} state={state} language={language} />,
  })
}

// The page of an invoice shows the invoice, whether it can be paid or not.
function closedStatus({ kind }: Offer, state: ClosedState): number {
  if (kind === 'invoice' && state !== 'taken') return 200
  return state === 'taken' || state === 'soldOut' ? 409 : 410
}

export async function pausedAnswer(
  context: PayerContext,
  offer: Offer,
  pause: Pause,
): Promise<PageAnswer> {
  const timeZone = await context.timeZoneOf(offer.tenant)
  const { language } = context
  const answer = checkoutAnswer(context, 503, {
    title: language.texts.paused.title,
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <PausedStep {...{ offer, endsAt: pause.endsAt, timeZone, language }} />,
  })
  const seconds = secondsLeft(pause, context.clock.now())
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

export function unknownAnswer(context: PayerContext): PageAnswer {
  const { texts } = context.language
  return checkoutAnswer(context, 404, {
    title: texts.unknown.title,
    offer: undefined,
    provider: { isSimulated: false, checkoutOrigins: [] },
    body: <UnknownStep texts={texts} />,
  })
}
