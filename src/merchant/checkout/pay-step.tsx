// The form on which the payer sees what to pay and presses Pay.
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { isFixedQuantity, type LinkItem } from '../payment-links/payment-link-item.ts'
import { AnswerFields, type ShownAnswers } from './answer-fields.tsx'
import { InvoiceDetails, InvoiceStatus } from './invoice-details.tsx'
import { descriptionOf, knownAmount, type Offer, titleOf } from './offer.ts'
import { OrderChoice } from './order-lines.tsx'
import { PayField } from './pay-field.tsx'
import { type Order, readOrder } from './typed-order.ts'

export type PayForm = {
  readonly offer: Offer
  readonly token: string
  readonly email?: string | undefined
  readonly amount?: string
  // Of a link with items.
  readonly order?: Order | undefined
  // Of a link that asks for more than the e-mail address.
  readonly answers?: ShownAnswers | undefined
  readonly emailError?: string | undefined
  readonly amountError?: string | undefined
  // A problem with the whole form.
  readonly alert?: string
}

type PayProps = PayForm & { readonly language: PayerLanguage }

export function PayStep(form: PayProps) {
  const { offer, token, alert, language } = form
  const { price, currency } = offer
  const { pay } = language.texts
  const description = descriptionOf(offer, language)
  const fixedMinor =
    price.kind === 'part' || price.kind === 'suggested' ? undefined : knownAmount(offer)
  return (
    <>
      {alert && (
        <p class="alert" role="alert">
          {alert}
        </p>
      )}
      {offer.imageUrl && (
        // The image may be slow and of any size: the page reserves space and does not wait for it.
        // If it can't be loaded, the style sheet shows the initial of the business in its place.
        <div class="picture">
          <img
            src={offer.imageUrl}
            alt=""
            data-initial={[...offer.merchantName][0]?.toUpperCase()}
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
          />
        </div>
      )}
      <p class="payee">
        {pay.payTo} <strong>{offer.merchantName}</strong>
      </p>
      <h1>{titleOf(offer, language)}</h1>
      {description && <p class="text">{description}</p>}
      {offer.invoice && <InvoiceStatus invoice={offer.invoice} language={language} />}
      {fixedMinor !== undefined && <Amount text={language.money(fixedMinor, currency)} />}
      <form method="post" action={offer.path}>
        <input type="hidden" name="token" value={token} />
        {offer.invoice && (price.kind === 'fixed' || price.kind === 'part') && (
          <input type="hidden" name="due" value={String(price.amountMinor)} />
        )}
        {price.kind === 'items' && <OrderField {...form} items={price.items} />}
        {price.kind !== 'fixed' && price.kind !== 'items' && <AmountField {...form} />}
        <PayField
          label={pay.email}
          hint={pay.emailHint}
          name="email"
          attributes={{ type: 'email', autocomplete: 'email' }}
          value={form.email}
          error={form.emailError}
        />
        <AnswerFields fields={offer.payerFields ?? {}} shown={form.answers} language={language} />
        <button class="button" type="submit" data-pay={pay.payAmount('{amount}')}>
          {fixedMinor === undefined ? pay.pay : pay.payAmount(language.money(fixedMinor, currency))}
        </button>
      </form>
      <p class="hint">
        <svg viewBox="0 0 16 16" width="14" height="14" fill="currentColor" aria-hidden="true">
          <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2h.5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM6 7h4V5a2 2 0 0 0-4 0z" />
        </svg>{' '}
        {pay.secure(offer.merchantName)}
      </p>
      {offer.invoice && <InvoiceDetails invoice={offer.invoice} language={language} />}
    </>
  )
}

// Stays on one line: a long amount is written smaller.
const longAmount = 14

export function Amount({ text }: { text: string }) {
  return <p class={text.length > longAmount ? 'amount long' : 'amount'}>{text}</p>
}

// Whether the payer chooses quantities.
export function hasChoice({ price }: Offer): boolean {
  return price.kind === 'items' && !price.items.every(isFixedQuantity)
}

function OrderField({ offer, items, order, language }: PayProps & { items: readonly LinkItem[] }) {
  const { currency } = offer
  const shown = order ?? readOrder(offer, items, {}, language)
  return <OrderChoice items={items} order={shown} currency={currency} language={language} />
}

function AmountField({ offer, amount, amountError, language }: PayProps) {
  const { price, currency } = offer
  const { pay } = language.texts
  const { decimals } = currencyOf(currency)
  const suggested =
    price.kind === 'suggested' || price.kind === 'part'
      ? language.number(majorText(price.amountMinor, decimals))
      : undefined
  return (
    <PayField
      label={pay.amountIn(currency)}
      hint={amountHint(price, language)}
      name="amount"
      attributes={{ inputmode: 'decimal', autocomplete: 'transaction-amount' }}
      value={amount ?? suggested}
      error={amountError}
    />
  )
}

function amountHint(
  { kind }: Offer['price'],
  { texts: { pay } }: PayerLanguage,
): string | undefined {
  if (kind === 'part') return pay.canPayPart
  return kind === 'suggested' ? pay.canChange : undefined
}
