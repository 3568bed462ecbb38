// What a payer is asked to pay, through a link, a QR code, a subscription or an invoice, or to
// change a card.

import type { Interval } from '../../kernel/basics/interval.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Brand } from '../../kernel/brand/brand.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { digitsAt, powerOfTen } from '../../kernel/money/decimal.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { PayerFields } from '../payment-links/payer-fields.ts'
import {
  isFixedQuantity,
  type LinkItem,
  orderOf,
  totalOf,
} from '../payment-links/payment-link-item.ts'
import type { InvoiceOffer } from './invoice-offer.ts'

export type Price =
  | { readonly kind: 'fixed'; readonly amountMinor: bigint }
  // The payer may change it.
  | { readonly kind: 'suggested'; readonly amountMinor: bigint }
  // The payer may pay less.
  | { readonly kind: 'part'; readonly amountMinor: bigint }
  | { readonly kind: 'open' }
  // The payer pays for what they take of the items.
  | { readonly kind: 'items'; readonly items: readonly LinkItem[] }

export type OfferState =
  | 'payable'
  | 'expired'
  | 'disabled'
  | 'used'
  // Another payer is paying a single-use code.
  | 'taken'
  // Nothing of its items is left.
  | 'soldOut'
  // The business may not take money.
  | 'closed'
  // It was for an invoice that is paid by now.
  | 'paid'
  // An invoice that can't be paid online.
  | 'offline'

export type Offer = {
  readonly tenant: Tenant
  // card: a small charge that checks the new card of a subscription.
  readonly kind: 'link' | 'code' | 'subscription' | 'invoice' | 'card'
  readonly id: string
  readonly path: string
  readonly merchantName: string
  readonly brand: Brand
  readonly title: string
  // A code without a description: its title says only whom it pays.
  readonly isUntitled?: boolean
  readonly description: string | null
  // How often a subscription is charged.
  readonly interval?: Interval
  readonly imageUrl: string | null
  readonly currency: string
  readonly price: Price
  readonly returnUrl: string | null
  // Where the provider sends the payer, if not to the page of the payment, whose address is made
  // from the payment's id.
  readonly backPath?: (paymentId: string) => string
  readonly splitRecipientId: string | null
  // The intended payer, if known.
  readonly payer?: { readonly email: string; readonly name: string | null }
  // What a link asks its payers for, beside the e-mail address.
  readonly payerFields?: PayerFields
  readonly state: OfferState
  // What the page of an invoice shows of it.
  readonly invoice?: InvoiceOffer
}

// The limits of the interface: for QR codes in minor units, for links in major units.
const codeAmountMinorMax = 10_000_000_000n
const linkAmountMax = 100_000_000n

export function linkAmountMinorMax(decimals: number): bigint {
  return linkAmountMax * powerOfTen(decimals)
}

function amountMinorMax({ kind, price }: Offer, decimals: number): bigint {
  if (price.kind === 'part') return price.amountMinor
  return kind === 'code' ? codeAmountMinorMax : linkAmountMinorMax(decimals)
}

// The amount that every payer pays, if it is known before they choose.
export function knownAmount({ price }: Offer): bigint | undefined {
  if (price.kind === 'open') return undefined
  if (price.kind !== 'items') return price.amountMinor
  return price.items.every(isFixedQuantity) ? totalOf(orderOf(price.items, {})) : undefined
}

export type AmountRefusal = string

// Reads the amount that the payer typed.
export function readAmount(
  offer: Offer,
  text: string,
  { texts: { problems }, money, number }: PayerLanguage,
): bigint | AmountRefusal {
  if (offer.price.kind === 'fixed') return offer.price.amountMinor
  const currency = currencyOf(offer.currency)
  const { code, decimals } = currency
  const amount = parseTypedAmount(text, currency, number('0.5').includes(',') ? ',' : '.')
  const example = number(decimals === 0 ? '1500' : `1500.${'5'.padEnd(decimals, '0')}`)
  if (!amount) return problems.figures(example)
  if (amount.scale > decimals) {
    return decimals === 0 ? problems.wholeNumber(code) : problems.decimals(code, decimals, example)
  }
  const amountMinor = digitsAt(amount, decimals)
  if (amountMinor < 1n) return problems.aboveZero
  const mostMinor = amountMinorMax(offer, decimals)
  return amountMinor > mostMinor ? problems.atMost(money(mostMinor, code)) : amountMinor
}

export function titleOf(
  { isUntitled, title, merchantName, invoice }: Offer,
  { texts }: PayerLanguage,
): string {
  if (invoice) return texts.invoice.title(invoice.number)
  return isUntitled ? texts.pay.paymentTo(merchantName) : title
}

export function descriptionOf(offer: Offer, { texts, money }: PayerLanguage): string | null {
  const { description, interval, price, currency, merchantName } = offer
  if (!interval || price.kind !== 'fixed') return description
  const every = texts.pay.every[interval.unit](interval.count)
  return texts.pay.subscription(money(price.amountMinor, currency), every, merchantName)
}

export type PayerOutcome = 'success' | 'cancelled'

// The merchant's own query and fragment stay unchanged.
export function withOutcome(returnUrl: string, paymentId: string, outcome: PayerOutcome): string {
  const hashAt = returnUrl.indexOf('#')
  const base = hashAt < 0 ? returnUrl : returnUrl.slice(0, hashAt)
  const fragment = hashAt < 0 ? '' : returnUrl.slice(hashAt)
  const joint = base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?'
  return `${base}${joint}payment_id=${paymentId}&status=${outcome}${fragment}`
}
