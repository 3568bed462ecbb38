// Which payments a list shows. What people type into one search field is read in several ways: as
// an address, a name, a reference, an id and an amount.
import { z } from 'zod'
import { isUuid } from '../../kernel/basics/id.ts'
import { currencyCodes, currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, parseDecimal, powerOfTen } from '../../kernel/money/decimal.ts'
import { amountMinorMax } from '../../kernel/money/minor-units.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'
import { currencyCode, emailAddress, line, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { type PaymentStatus, paymentStatuses } from './payment.ts'

// A plain decimal in major units, such as 1500.5.
const decimal = () =>
  z
    .string()
    .max(30)
    .refine((text) => !text.startsWith('-') && parseDecimal(text) !== undefined, {
      error: 'Must be an amount such as 1500.50.',
    })

export const paymentFilterInput = {
  status: oneOf(paymentStatuses).optional(),
  paymentLinkId: uuid().optional(),
  qrCodeId: uuid().optional(),
  subscriptionId: uuid().optional(),
  email: emailAddress().optional(),
  createdSince: z.date().optional(),
  createdBefore: z.date().optional(),
  // An address or name that begins so, or exactly a reference, an id or an amount.
  text: line(254).optional(),
  currency: currencyCode().optional(),
  amountFrom: decimal().optional(),
  amountTo: decimal().optional(),
  // In the provider's word, such as card.
  method: z
    .string()
    .regex(/^[a-z0-9_]{1,40}$/, { error: 'Must be a word such as card.' })
    .optional(),
}

const filterSchema = z.strictObject(paymentFilterInput)

export type PaymentFilter = z.output<typeof filterSchema> & {
  readonly status?: PaymentStatus | undefined
}

// The links and codes with the reference that is searched.
export type OffersOfReference = {
  readonly paymentLinkIds: readonly string[]
  readonly qrCodeIds: readonly string[]
}

export type WantedPayments = PaymentFilter & {
  readonly offers?: OffersOfReference | undefined
  // Of a subscription, with the invoices that were charged to its card.
  readonly subscriberId?: string | undefined
}

export type PaymentTotal = {
  readonly currency: string
  readonly count: number
  // Of the payments that were collected.
  readonly collectedMinor: bigint
  readonly refundedMinor: bigint
}

// Amounts are stored in minor units, and currencies differ in their decimals.
export type AmountRange = {
  readonly currencies: readonly string[]
  readonly fromMinor: bigint
  readonly toMinor: bigint
}

type Amounts = Pick<PaymentFilter, 'currency' | 'amountFrom' | 'amountTo'>

// Undefined if every amount is wanted.
export function amountRanges({
  currency,
  amountFrom,
  amountTo,
}: Amounts): readonly AmountRange[] | undefined {
  if (amountFrom === undefined && amountTo === undefined) return undefined
  const from = amountFrom === undefined ? undefined : parseDecimal(amountFrom)
  const to = amountTo === undefined ? undefined : parseDecimal(amountTo)
  return rangesBetween(from, to, currency === undefined ? currencyCodes : [currency])
}

function rangesBetween(
  from: Decimal | undefined,
  to: Decimal | undefined,
  codes: readonly string[],
): readonly AmountRange[] {
  const byDecimals = Map.groupBy(codes, (code) => currencyOf(code).decimals)
  return [...byDecimals]
    .map(([decimals, currencies]) => ({
      currencies,
      fromMinor: from ? minorAtLeast(from, decimals) : 0n,
      toMinor: to ? minorAtMost(to, decimals) : amountMinorMax,
    }))
    .filter(({ fromMinor, toMinor }) => fromMinor <= toMinor)
}

function minorAtMost({ digits, scale }: Decimal, decimals: number): bigint {
  const minor =
    scale <= decimals
      ? digits * powerOfTen(decimals - scale)
      : digits / powerOfTen(scale - decimals)
  return minor > amountMinorMax ? amountMinorMax : minor
}

function minorAtLeast(value: Decimal, decimals: number): bigint {
  const isExact = value.scale <= decimals
  return minorAtMost(value, decimals) + (isExact ? 0n : 1n)
}

export type TextMeanings = {
  readonly id: string | undefined
  readonly amounts: readonly AmountRange[]
}

// What the text can mean besides a reference, an address and a name.
export function meaningsOf(text: string): TextMeanings {
  const amount = parseTypedAmount(text, { code: 'NGN', decimals: 2 })
  return {
    id: isUuid(text) ? text.toLowerCase() : undefined,
    amounts: amount ? rangesBetween(amount, amount, currencyCodes) : [],
  }
}
