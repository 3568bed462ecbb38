// What a payer sees instead of the form if nothing can be paid now.
import { Mark } from './checkout-ends.tsx'
import { formatMomentAfter } from './checkout-time.ts'
import { InvoiceDetails } from './invoice-details.tsx'
import type { Offer, OfferState } from './offer.ts'

export type ClosedState = Exclude<OfferState, 'payable'>

// "Used", "taken", "paid" and subscriptions don't say that nothing was charged: the reader may be
// the one who paid.
const closed: Readonly<Record<ClosedState, { title: string; text: string }>> = {
  expired: {
    title: 'This link has expired',
    text: 'It can no longer be paid. Ask for a new link. Nothing was charged.',
  },
  disabled: {
    title: 'This can no longer be paid',
    text: 'It was switched off. Ask for a new one. Nothing was charged.',
  },
  used: { title: 'Already paid', text: 'This code can be used only once.' },
  taken: {
    title: 'Another payment is in progress',
    text: 'This code can be used only once. If that payment fails, you can pay here.',
  },
  closed: {
    title: 'Payments are not available',
    text: 'This business can’t take payments right now. Nothing was charged.',
  },
  paid: {
    title: 'This invoice is paid',
    text: 'There is nothing left to pay.',
  },
  offline: {
    title: 'This invoice can’t be paid online',
    text: 'Pay it in one of the ways below, or ask how to pay it.',
  },
}

const closedInvoice: Partial<Record<ClosedState, { title: string; text: string }>> = {
  disabled: {
    title: 'This invoice is void',
    text: 'It does not need to be paid.',
  },
  taken: {
    title: 'This invoice can’t be paid now',
    text: 'It was paid or withdrawn a moment ago. Nothing was charged. Open it again to see.',
  },
}

const closedSubscription: Partial<Record<Offer['state'], { title: string; text: string }>> = {
  disabled: { title: 'This subscription has ended', text: 'You will not be charged again.' },
  used: { title: 'No payment is due', text: 'This subscription is paid.' },
  taken: {
    title: 'A payment is in progress',
    text: 'If that payment fails, you can pay here again.',
  },
}

export function closedTitle({ kind }: Offer, state: ClosedState): string {
  return closedText(kind, state).title
}

function closedText(kind: Offer['kind'], state: ClosedState) {
  if (kind === 'invoice') return closedInvoice[state] ?? closed[state]
  return (kind === 'subscription' && closedSubscription[state]) || closed[state]
}

export function ClosedStep({ offer, state }: { offer: Offer; state: ClosedState }) {
  const { title, text } = closedText(offer.kind, state)
  return (
    <>
      {state === 'paid' || state === 'used' ? (
        <Mark kind="good" path="m7.5 12.5 3 3 6-6.5" />
      ) : (
        <Mark kind="quiet" path="M12 8v5m0 3v.5" />
      )}
      <h1>{title}</h1>
      <p class="text">{text}</p>
      <About offer={offer} />
      {offer.invoice && <InvoiceDetails invoice={offer.invoice} />}
    </>
  )
}

type PausedProps = { offer: Offer; endsAt: Date; timeZone: string }

export function PausedStep({ offer, endsAt, timeZone }: PausedProps) {
  return (
    <>
      <Mark kind="quiet" path="M10 9v6m4-6v6" />
      <h1>Payments are paused</h1>
      <p class="text">
        We are doing maintenance. Please come back after{' '}
        <time datetime={endsAt.toISOString()}>{formatMomentAfter(endsAt, timeZone)}</time>. Nothing
        was charged.
      </p>
      <About offer={offer} />
      <a class="button" href={offer.path}>
        Try again
      </a>
    </>
  )
}

export const unknownTitle = 'We don’t know this page'

// Links get cut off in messages and mistyped from paper.
export function UnknownStep() {
  return (
    <>
      <Mark kind="quiet" path="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.6.3-1 .8-1 1.4v.3m0 3v.1" />
      <h1>{unknownTitle}</h1>
      <p class="text">
        Check that you have the whole address, to the last letter. If it still does not work, ask
        the business that sent it for a new one. Nothing was charged.
      </p>
    </>
  )
}

// Whose page it is, on pages that ask for no payment.
function About({ offer: { merchantName, title } }: { offer: Offer }) {
  return (
    <dl>
      <div>
        <dt>From</dt>
        <dd>{merchantName}</dd>
      </div>
      <div>
        <dt>For</dt>
        <dd>{title}</dd>
      </div>
    </dl>
  )
}
