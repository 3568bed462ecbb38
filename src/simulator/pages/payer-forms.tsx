// The steps of the payer. Components depend only on their properties.
import type { ComponentChildren } from 'preact'
import { findCurrency } from '../../kernel/money/currency.ts'
import { grouped, toText } from '../../kernel/money/decimal.ts'
import { type TestCard, testCards, testOtp, testPin } from '../charges/cards.ts'
import type { Awaits, Charge } from '../charges/charge.ts'
import { type Checkout, checkoutPath } from '../charges/checkout.ts'

type StepProps = { readonly checkout: Checkout; readonly error: string | undefined }

export function CardStep({ checkout, error }: StepProps) {
  const action = `${checkoutPath(checkout.id)}/card`
  const attempts = <input type="hidden" name="attempts" value={checkout.attempts} />
  return (
    <>
      <Heading checkout={checkout} error={error} />
      <form method="post" action={action}>
        {attempts}
        <fieldset>
          <legend>Choose a test card</legend>
          {testCards.map((card, index) => (
            <CardChoice key={card.number} card={card} isFirst={index === 0} />
          ))}
        </fieldset>
        <button type="submit">Pay {money(checkout)}</button>
      </form>
      <details>
        <summary>Enter a test card instead</summary>
        <form method="post" action={action}>
          {attempts}
          <Field name="card" label="Card number" inputMode="numeric" />
          <Field name="expiry" label="Expiry date (MM/YY)" inputMode="numeric" />
          <Field name="cvv" label="Security code" inputMode="numeric" />
          <button type="submit">Pay with this card</button>
        </form>
      </details>
      <Cancel checkout={checkout} />
    </>
  )
}

function CardChoice({ card, isFirst }: { card: TestCard; isFirst: boolean }) {
  return (
    <label class="card">
      <input type="radio" name="card" value={card.number} checked={isFirst} required />
      <span>
        {card.title}
        <span>
          {card.type} {inFours(card.number)}, {card.expiry}, {card.cvv}
        </span>
      </span>
    </label>
  )
}

export function AuthorisationStep({
  checkout,
  error,
  charge,
  awaits,
}: StepProps & { readonly charge: Charge; readonly awaits: Awaits }) {
  return (
    <>
      <Heading checkout={checkout} error={error} />
      <form method="post" action={`${checkoutPath(checkout.id)}/${awaits}`}>
        <input type="hidden" name="charge" value={String(charge.id)} />
        <Question awaits={awaits} />
      </form>
      <Cancel checkout={checkout} />
    </>
  )
}

function Question({ awaits }: { awaits: Awaits }) {
  switch (awaits) {
    case 'pin':
      return (
        <>
          <h2>Enter the PIN of your card</h2>
          <p class="quiet">The test PIN is {testPin}.</p>
          <Field name="value" label="PIN" inputMode="numeric" />
          <button type="submit">Continue</button>
        </>
      )
    case 'otp':
      return (
        <>
          <h2>Enter the one-time code</h2>
          <p class="quiet">A bank would send it to your phone. The test code is {testOtp}.</p>
          <Field name="value" label="One-time code" inputMode="numeric" />
          <button type="submit">Continue</button>
        </>
      )
    case '3ds':
      return (
        <>
          <h2>Confirm with 3-D Secure</h2>
          <p class="quiet">This page stands in for your bank.</p>
          <button type="submit" name="value" value="approve">
            Approve
          </button>
          <button type="submit" name="value" value="reject" class="plain">
            Reject
          </button>
        </>
      )
    case 'address':
      return (
        <>
          <h2>Enter your billing address</h2>
          <p class="quiet">Any address works.</p>
          <Field name="value" label="Street, city and country" />
          <button type="submit">Continue</button>
        </>
      )
  }
}

// The end, if there is no URL to redirect to.
export function EndStep({
  checkout,
  title,
  text,
  back,
}: {
  readonly checkout: Checkout
  readonly title: string
  readonly text: string
  readonly back: string | undefined
}) {
  return (
    <>
      <h1>{title}</h1>
      <p class="amount">{money(checkout)}</p>
      <p>{text}</p>
      {back && (
        <a class="button" href={back}>
          Back to the shop
        </a>
      )}
    </>
  )
}

function Heading({ checkout, error }: StepProps) {
  return (
    <>
      {error !== undefined && (
        <p class="alert" role="alert">
          {error}
        </p>
      )}
      <h1>{checkout.title ?? 'Payment'}</h1>
      <p class="amount">{money(checkout)}</p>
    </>
  )
}

function Cancel({ checkout }: { checkout: Checkout }) {
  return (
    <form method="post" action={`${checkoutPath(checkout.id)}/cancel`}>
      <button type="submit" class="plain">
        Cancel the payment
      </button>
    </form>
  )
}

type FieldProps = {
  readonly name: string
  readonly label: ComponentChildren
  readonly inputMode?: 'numeric' | 'text'
}

// Browsers must not offer real cards here or store test cards.
function Field({ name, label, inputMode = 'text' }: FieldProps) {
  return (
    <label class="field">
      {label}
      <input name={name} inputMode={inputMode} autocomplete="off" required />
    </label>
  )
}

function money({ amount, currency }: Pick<Checkout, 'amount' | 'currency'>): string {
  return `${currency} ${grouped(toText(amount, findCurrency(currency)?.decimals ?? 0))}`
}

function inFours(number: string): string {
  return number.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
