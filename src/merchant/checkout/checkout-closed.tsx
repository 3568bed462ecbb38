// What a payer sees instead of the form where nothing can be paid now.
import { Mark, Payee } from './checkout-steps.tsx'
import type { Offer, OfferState } from './offer.ts'

// Something was or is being paid with what is used or taken and with a subscription, perhaps by
// whoever reads this, so these do not say that nothing was charged.
const closed: Readonly<Record<Exclude<OfferState, 'payable'>, { title: string; text: string }>> = {
  expired: {
    title: 'This link has expired',
    text: 'It cannot be paid any more. Ask for a new link. Nothing was charged.',
  },
  disabled: {
    title: 'This cannot be paid any more',
    text: 'It was switched off. Ask for a new one. Nothing was charged.',
  },
  used: { title: 'This was paid already', text: 'The code could be used once, and it was.' },
  taken: {
    title: 'Somebody is paying this right now',
    text: 'The code can be used once. If that payment comes to nothing, it is free again.',
  },
  closed: {
    title: 'No payments here at the moment',
    text: 'This business cannot take payments right now. Nothing was charged.',
  },
}

const closedSubscription: Partial<Record<Offer['state'], { title: string; text: string }>> = {
  disabled: { title: 'This subscription has ended', text: 'Nothing more will be charged.' },
  used: { title: 'Nothing is due at the moment', text: 'This subscription is paid.' },
  taken: {
    title: 'This is being paid right now',
    text: 'If that payment comes to nothing, it can be paid here again.',
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
      <h1>Payments are paused for a while</h1>
      <p class="text">
        This is for maintenance. Please come back after{' '}
        <time datetime={endsAt.toISOString()}>{dayAndTime(endsAt)}</time>. Nothing was charged.
      </p>
      <Payee offer={offer} />
      <a class="button" href={offer.path}>
        Try again
      </a>
    </>
  )
}

// The whole minute at or after the moment, so that nobody comes back too early.
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
