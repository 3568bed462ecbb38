// What a payer sees after the provider's page: how the payment ended, or that it has not.
import type { ComponentChildren } from 'preact'
import { formatMoment } from './checkout-time.ts'
import type { Finished } from './finish-checkout.ts'
import { money } from './offer.ts'
import { Amount } from './pay-step.tsx'
import { payerReason } from './payer-reason.ts'

export type EndProps = { readonly finished: Finished; readonly timeZone: string }

const endTitles = {
  success: 'Paid',
  cancelled: 'Not paid',
  waiting: 'Waiting for your bank',
} as const

export function endTitle({ outcome, payment: { status } }: Finished): string {
  if (status === 'refunded') return 'Refunded'
  if (status === 'partially_refunded') return 'Partly refunded'
  return endTitles[outcome]
}

export function EndStep(props: EndProps) {
  switch (props.finished.outcome) {
    case 'success':
      return <PaidStep {...props} />
    case 'cancelled':
      return <NotPaidStep {...props} />
    case 'waiting':
      return <WaitingStep {...props} />
  }
}

function PaidStep(props: EndProps) {
  const { payment, offer } = props.finished
  const { amountMinor, refundedMinor, currency, status } = payment
  if (status === 'refunded') {
    return (
      <>
        <Mark kind="quiet" path="M9 9 5.5 12 9 15m-3.5-3h8a3 3 0 0 0 0-6" />
        <h1>Your payment was refunded</h1>
        <Amount amountMinor={amountMinor} currency={currency} />
        <p class="text">
          {offer.merchantName} refunded the whole amount. It can take a few days until the money is
          in your account.
        </p>
        <Excess {...props} />
        <Details {...props} />
      </>
    )
  }
  return (
    <>
      <Mark kind="good" path="m7.5 12.5 3 3 6-6.5" />
      <h1>{status === 'partially_refunded' ? 'Paid, and partly refunded' : 'Paid. Thank you!'}</h1>
      <Amount amountMinor={amountMinor} currency={currency} />
      {status === 'partially_refunded' && (
        <p class="text">
          {offer.merchantName} refunded {money(refundedMinor, currency)} of it. It can take a few
          days until the money is in your account.
        </p>
      )}
      <Excess {...props} />
      <Details {...props} />
      <p class="hint">
        {offer.invoice && <a href={offer.path}>See the invoice</a>} You can close this page.
      </p>
    </>
  )
}

// More than was asked for goes back by itself.
function Excess({ finished: { payment, offer, excess } }: EndProps) {
  if (!excess) return null
  const more = `You paid ${money(excess.amountMinor, payment.currency)} more than was due.`
  return (
    <p class="note">
      {excess.state === 'kept'
        ? `${more} It could not be refunded yet. Please contact ${offer.merchantName} and quote the payment ID below.`
        : `${more} It ${excess.state === 'returned' ? 'was' : 'is being'} refunded, which can take a few days.`}
    </p>
  )
}

// Payers who were charged are told so, and are not asked to pay again.
function NotPaidStep(props: EndProps) {
  const { offer, payment, money: stray } = props.finished
  const reason = payerReason(payment)
  return (
    <>
      <Mark kind="bad" path="m9 9 6 6m0-6-6 6" />
      <h1>Not paid</h1>
      {stray === 'none' && <p class="text">{reason} Nothing was charged.</p>}
      {stray === 'going_back' && (
        <p class="text">
          {reason} Your money arrived after that. It is being refunded, which can take a few days.
          You don’t need to do anything.
        </p>
      )}
      {stray === 'kept' && (
        <p class="text">
          {reason} Your money arrived, but it does not match the payment. It is on hold. Please
          contact {offer.merchantName} and quote the payment ID below. Don’t pay again until you
          hear back.
        </p>
      )}
      <Details {...props} />
      {stray === 'none' && offer.state === 'payable' && (
        <a class="button" href={offer.path}>
          Try again
        </a>
      )}
    </>
  )
}

function WaitingStep(props: EndProps) {
  const { payment } = props.finished
  return (
    <>
      <Mark kind="quiet" path="M12 7.5V12l3 2" />
      <h1>Waiting for your bank</h1>
      <p class="text" role="status">
        The payment is not confirmed yet. This page updates automatically. You can close it; your
        payment will continue.
      </p>
      <Details {...props} />
      <p class="hint">
        <a href={`/pay/return/${payment.providerReference}`}>Check again now</a>
      </p>
      {payment.status === 'pending' && payment.checkoutUrl && (
        <p class="hint">
          Not finished? <a href={payment.checkoutUrl}>Go back to the payment page</a>.
        </p>
      )}
    </>
  )
}

function Details({ finished: { offer, payment }, timeZone }: EndProps) {
  const { amountMinor, refundedMinor, currency, succeededAt, createdAt } = payment
  const moment = succeededAt ?? createdAt
  const rows: [string, ComponentChildren][] = [
    ['To', offer.merchantName],
    ['For', offer.title],
    ['Amount', money(amountMinor, currency)],
    ...(refundedMinor > 0n
      ? [['Refunded', money(refundedMinor, currency)] as [string, string]]
      : []),
    [
      succeededAt ? 'Paid on' : 'Started on',
      <time key="moment" datetime={moment.toISOString()}>
        {formatMoment(moment, timeZone)}
      </time>,
    ],
    ['Payment ID', payment.id],
  ]
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Mark({ kind, path }: { kind: 'good' | 'bad' | 'quiet'; path: string }) {
  return (
    <svg
      class={`mark ${kind}`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="10" />
      <path d={path} />
    </svg>
  )
}
