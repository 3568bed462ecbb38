// What a payer sees instead of the form if nothing can be paid now.
import { Mark, Payee } from './checkout-steps.tsx'
import type { Offer, OfferState } from './offer.ts'

// "Used", "taken" and subscriptions don't say that nothing was charged: the reader may be the one
// who paid.
const closed: Readonly<Record<Exclude<OfferState, 'payable'>, { title: string; text: string }>> = {
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
}

const closedSubscription: Partial<Record<Offer['state'], { title: string; text: string }>> = {
  disabled: { title: 'This subscription has ended', text: 'You will not be charged again.' },
  used: { title: 'No payment is due', text: 'This subscription is paid.' },
  taken: {
    title: 'A payment is in progress',
    text: 'If that payment fails, you can pay here again.',
  },
}

export function closedTitle({ kind }: Offer, state: Exclude<OfferState, 'payable'>): string {
  return closedText(kind, state).title
}

function closedText(kind: Offer['kind'], state: keyof typeof closed) {
  return (kind === 'subscription' && closedSubscription[state]) || closed[state]
}

export function ClosedStep({ offer, state }: { offer: Offer; state: keyof typeof closed }) {
  const { title, text } = closedText(offer.kind, state)
  return (
    <>
      <Mark kind="quiet" path="M12 8v5m0 3v.5" />
      <h1>{title}</h1>
      <p class="text">{text}</p>
      <Payee offer={offer} />
    </>
  )
}

export function PausedStep({ offer, endsAt }: { offer: Offer; endsAt: Date }) {
  return (
    <>
      <Mark kind="quiet" path="M10 9v6m4-6v6" />
      <h1>Payments are paused</h1>
      <p class="text">
        We are doing maintenance. Please come back after{' '}
        <time datetime={endsAt.toISOString()}>{dayAndTime(endsAt)}</time>. Nothing was charged.
      </p>
      <Payee offer={offer} />
      <a class="button" href={offer.path}>
        Try again
      </a>
    </>
  )
}

// Rounded up to the minute, so that no payer comes back too early.
function dayAndTime(date: Date): string {
  const minuteMs = 60_000
  const ends = new Date(Math.ceil(date.getTime() / minuteMs) * minuteMs)
  const text = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(ends)
  return `${text} UTC`
}
