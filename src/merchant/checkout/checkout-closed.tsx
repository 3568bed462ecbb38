// What a payer sees instead of the form if nothing can be paid now.
import type { PayerTexts } from '../../payer-texts/english.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { Mark } from './checkout-ends.tsx'
import { InvoiceDetails, InvoiceStatus } from './invoice-details.tsx'
import type { InvoiceOffer } from './invoice-offer.ts'
import { knownAmount, type Offer, type OfferState, titleOf } from './offer.ts'
import { Amount } from './pay-step.tsx'

export type ClosedState = Exclude<OfferState, 'payable'>

type ClosedProps = { offer: Offer; state: ClosedState; language: PayerLanguage }

export function closedTitle({ kind }: Offer, state: ClosedState, texts: PayerTexts): string {
  return closedText(kind, state, texts).title
}

function closedText(kind: Offer['kind'], state: ClosedState, texts: PayerTexts) {
  const special: Partial<Record<Offer['kind'], Partial<PayerTexts['closed']>>> = {
    subscription: texts.closedSubscription,
    invoice: texts.closedInvoice,
  }
  return special[kind]?.[state] ?? texts.closed[state]
}

export function ClosedStep({ offer, state, language }: ClosedProps) {
  const { title, text } = closedText(offer.kind, state, language.texts)
  const { invoice } = offer
  if (invoice && state === 'offline') {
    return <OfflineInvoice offer={offer} invoice={invoice} language={language} />
  }
  return (
    <>
      {state === 'paid' || state === 'used' ? (
        <Mark kind="good" path="m7.5 12.5 3 3 6-6.5" />
      ) : (
        <Mark kind="quiet" path="M12 8v5m0 3v.5" />
      )}
      <h1>{title}</h1>
      <p class="text">{text}</p>
      {invoice ? (
        <InvoiceDetails invoice={invoice} language={language} />
      ) : (
        <About offer={offer} language={language} />
      )}
    </>
  )
}

type OfflineProps = { offer: Offer; invoice: InvoiceOffer; language: PayerLanguage }

// Customers read it here and pay it in another way.
function OfflineInvoice({ offer, invoice, language }: OfflineProps) {
  const { facts, closed } = language.texts
  const { currency } = offer
  const amountMinor = knownAmount(offer)
  return (
    <>
      <p class="payee">
        {facts.from} <strong>{offer.merchantName}</strong>
      </p>
      <h1>{titleOf(offer, language)}</h1>
      <InvoiceStatus invoice={invoice} language={language} />
      {amountMinor !== undefined && <Amount text={language.money(amountMinor, currency)} />}
      <p class="note">
        <strong>{closed.offline.title}.</strong> {closed.offline.text}
      </p>
      <InvoiceDetails invoice={invoice} language={language} />
    </>
  )
}

type PausedProps = { offer: Offer; endsAt: Date; timeZone: string; language: PayerLanguage }

const minuteMs = 60_000

export function PausedStep({ offer, endsAt, timeZone, language }: PausedProps) {
  const { paused, tryAgain } = language.texts
  // Rounded up to the minute, so that no payer comes back too early.
  const after = new Date(Math.ceil(endsAt.getTime() / minuteMs) * minuteMs)
  return (
    <>
      <Mark kind="quiet" path="M10 9v6m4-6v6" />
      <h1>{paused.title}</h1>
      <p class="text">{paused.text(language.moment(after, timeZone, 'long'))}</p>
      <About offer={offer} language={language} />
      <a class="button" href={offer.path}>
        {tryAgain}
      </a>
    </>
  )
}

// Links get cut off in messages and mistyped from paper.
export function UnknownStep({ texts: { unknown } }: { texts: PayerTexts }) {
  return (
    <>
      <Mark kind="quiet" path="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.6.3-1 .8-1 1.4v.3m0 3v.1" />
      <h1>{unknown.title}</h1>
      <p class="text">{unknown.text}</p>
    </>
  )
}

// Whose page it is, on pages that ask for no payment.
function About({ offer, language }: { offer: Offer; language: PayerLanguage }) {
  const { facts } = language.texts
  return (
    <dl>
      <div>
        <dt>{facts.from}</dt>
        <dd>{offer.merchantName}</dd>
      </div>
      <div>
        <dt>{facts.for}</dt>
        <dd>{titleOf(offer, language)}</dd>
      </div>
    </dl>
  )
}
