// The content of the checkout pages.
import type { ComponentChildren } from 'preact'
import type { Payment } from '../payments/payment.ts'
import type { StrayMoney } from './finish-checkout.ts'
import { amountText, money, type Offer } from './offer.ts'

export type PayForm = {
  readonly offer: Offer
  readonly token: string
  readonly email?: string | undefined
  readonly amount?: string
  readonly emailError?: string | undefined
  readonly amountError?: string | undefined
  // A problem with the whole form.
  readonly alert?: string
}

export function PayStep(form: PayForm) {
  const { offer, token, alert } = form
  const { price, currency } = offer
  return (
    <>
      {alert && (
        <p class="alert" role="alert">
          {alert}
        </p>
      )}
      {offer.imageUrl && (
        // The image may be slow and of any size: the page reserves space and does not wait for it.
        <img
          class="picture"
          src={offer.imageUrl}
          alt=""
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
        />
      )}
      <Payee offer={offer} />
      <h1>{offer.title}</h1>
      {offer.description && <p class="text">{offer.description}</p>}
      {price.kind === 'fixed' && <p class="amount">{money(price.amountMinor, currency)}</p>}
      <form method="post" action={offer.path}>
        <input type="hidden" name="token" value={token} />
        {price.kind !== 'fixed' && <AmountField {...form} />}
        <Field
          label="Your e-mail address"
          hint="The payment provider needs it for the receipt."
          name="email"
          attributes={{ type: 'email', autocomplete: 'email' }}
          value={form.email}
          error={form.emailError}
        />
        <button class="button" type="submit">
          {price.kind === 'fixed' ? `Pay ${money(price.amountMinor, currency)}` : 'Pay'}
        </button>
      </form>
      <p class="hint">
        You pay on the payment provider’s secure page. {offer.merchantName} never sees your card.
      </p>
    </>
  )
}

export function Payee({ offer }: { offer: Offer }) {
  return (
    <p class="payee">
      Pay to <strong>{offer.merchantName}</strong>
    </p>
  )
}

function AmountField({ offer, amount, amountError }: PayForm) {
  const { price, currency } = offer
  const suggested = price.kind === 'suggested' ? amountText(price.amountMinor, currency) : undefined
  return (
    <Field
      label={`Amount in ${currency}`}
      hint={suggested === undefined ? undefined : 'You can change it.'}
      name="amount"
      attributes={{ inputmode: 'decimal', autocomplete: 'transaction-amount' }}
      value={amount ?? suggested}
      error={amountError}
    />
  )
}

type FieldProps = {
  readonly label: string
  readonly hint: string | undefined
  readonly name: string
  // Attributes of the input element.
  readonly attributes: Readonly<Record<string, string>>
  readonly value: string | undefined
  readonly error: string | undefined
}

function Field({ label, hint, name, error, value, attributes }: FieldProps) {
  const notes = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && <small id={`${name}-hint`}>{hint}</small>}
      <input
        id={name}
        name={name}
        required
        {...attributes}
        {...(value !== undefined && { value })}
        {...(notes && { 'aria-describedby': notes })}
        {...(error && { 'aria-invalid': 'true' })}
      />
      {error && (
        <span class="error" id={`${name}-error`}>
          {error}
        </span>
      )}
    </div>
  )
}

type EndProps = {
  readonly offer: Offer
  readonly payment: Payment
  readonly money: StrayMoney
}

export function PaidStep({ offer, payment }: EndProps) {
  return (
    <>
      <Mark kind="good" path="m7.5 12.5 3 3 6-6.5" />
      <h1>Paid. Thank you!</h1>
      <p class="amount">{money(payment.amountMinor, payment.currency)}</p>
      <Details offer={offer} payment={payment} />
      <p class="hint">You can close this page.</p>
    </>
  )
}

// Payers who were charged are told so, and are not asked to pay again.
export function NotPaidStep({ offer, payment, money: stray }: EndProps) {
  const reason = payment.status === 'failed' ? payment.failureReason : 'cancelled'
  return (
    <>
      <Mark kind="bad" path="m9 9 6 6m0-6-6 6" />
      <h1>Not paid</h1>
      {stray === 'none' && (
        <p class="text">The payment did not go through ({reason}). Nothing was charged.</p>
      )}
      {stray === 'going_back' && (
        <p class="text">
          Your money arrived after the payment had ended ({reason}). It is being refunded, which can
          take a few days. You don’t need to do anything.
        </p>
      )}
      {stray === 'kept' && (
        <p class="text">
          Your money arrived, but it does not match the payment ({reason}). It is on hold. Please
          contact {offer.merchantName} and quote the payment ID below. Don’t pay again until you
          hear back.
        </p>
      )}
      <Details offer={offer} payment={payment} />
      {stray === 'none' && offer.state === 'payable' && (
        <a class="button" href={offer.path}>
          Try again
        </a>
      )}
    </>
  )
}

export function WaitingStep({ offer, payment }: EndProps) {
  return (
    <>
      <Mark kind="quiet" path="M12 7.5V12l3 2" />
      <h1>Waiting for your bank</h1>
      <p class="text" role="status">
        The payment is not confirmed yet. This page updates automatically. You can close it; your
        payment will continue.
      </p>
      <Details offer={offer} payment={payment} />
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

function Details({ offer, payment }: Pick<EndProps, 'offer' | 'payment'>) {
  const rows: [string, ComponentChildren][] = [
    ['To', offer.merchantName],
    ['For', offer.title],
    ['Amount', money(payment.amountMinor, payment.currency)],
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
