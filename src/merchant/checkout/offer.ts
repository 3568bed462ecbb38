// What a payer is asked to pay, through a link, a QR code, a subscription or an invoice.

import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Brand } from '../../kernel/brand/brand.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { digitsAt, grouped, powerOfTen, toText } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'
import type { InvoiceOffer } from './invoice-offer.ts'

export type Price =
  | { readonly kind: 'fixed'; readonly amountMinor: bigint }
  // The payer may change it.
  | { readonly kind: 'suggested'; readonly amountMinor: bigint }
  // The payer may pay less.
  | { readonly kind: 'part'; readonly amountMinor: bigint }
  | { readonly kind: 'open' }

export type OfferState =
  | 'payable'
  | 'expired'
  | 'disabled'
  | 'used'
  // Another payer is paying a single-use code.
  | 'taken'
  // The business may not take money.
  | 'closed'
  // It was for an invoice that is paid by now.
  | 'paid'
  // An invoice that can't be paid online.
  | 'offline'

export type Offer = {
  readonly tenant: Tenant
  readonly kind: 'link' | 'code' | 'subscription' | 'invoice'
  readonly id: string
  readonly path: string
  readonly merchantName: string
  readonly brand: Brand
  readonly title: string
  readonly description: string | null
  readonly imageUrl: string | null
  readonly currency: string
  readonly price: Price
  readonly returnUrl: string | null
  readonly splitRecipientId: string | null
  // The intended payer, if known.
  readonly payer?: { readonly email: string; readonly name: string | null }
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

export type AmountRefusal = string

// Reads the amount that the payer typed.
export function readAmount(offer: Offer, text: string): bigint | AmountRefusal {
  if (offer.price.kind === 'fixed') return offer.price.amountMinor
  const currency = currencyOf(offer.currency)
  const { decimals } = currency
  const amount = parseTypedAmount(text, currency)
  const example = decimals === 0 ? '1500' : `1500.${'5'.padEnd(decimals, '0')}`
  if (!amount) return `Enter the amount in figures, for example ${example}.`
  if (amount.scale > decimals) {
    if (decimals === 0) return `${offer.currency} has no decimals: enter a whole number.`
    return `${offer.currency} has ${decimals} decimals: enter for example ${example}.`
  }
  const amountMinor = digitsAt(amount, decimals)
  if (amountMinor < 1n) return 'Enter an amount above zero.'
  const mostMinor = amountMinorMax(offer, decimals)
  if (amountMinor > mostMinor) return `Enter at most ${money(mostMinor, offer.currency)}.`
  return amountMinor
}

// The space does not break, so that currency and amount stay on one line.
export function money(amountMinor: bigint, currency: string): string {
  return `${currency}\u00a0${grouped(amountText(amountMinor, currency))}`
}

export function amountText(amountMinor: bigint, code: string): string {
  const currency = currencyOf(code)
  return toText(fromMinor(amountMinor, currency), currency.decimals)
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
