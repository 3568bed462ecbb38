// The filter of the payments list, as it is in the address: what the person chose and typed, what
// the operations get, and what can't be read.
import type { z } from 'zod'
import { addDays } from '../../kernel/basics/calendar.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import { currencyOf, isCurrency } from '../../kernel/money/currency.ts'
import { compare, type Decimal, toText } from '../../kernel/money/decimal.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'
import { day, emailAddress } from '../../kernel/operations/schemas.ts'
import type { getPaymentTotals } from '../../merchant/payments/get-payment-totals.ts'
import { paymentStatuses } from '../../merchant/payments/payment.ts'
import { startOfDay } from '../../merchant/subscriptions/billing-period.ts'
import { type Days, daysOf, findPeriod } from '../components/period.ts'
import type { Query, Visit } from '../shell/visit.ts'

const filterNames = [
  ...(['q', 'status', 'period', 'from', 'to', 'payer', 'currency', 'min', 'max'] as const),
  ...(['method', 'link', 'code'] as const),
]

export type FilterName = (typeof filterNames)[number]

export type PaymentWish = z.input<typeof getPaymentTotals.input>

export type PaymentQuery = {
  // As in the address; nothing that is empty.
  readonly values: Readonly<Partial<Record<FilterName, string>>>
  readonly wanted: PaymentWish
  // By the name of the field.
  readonly problems: Readonly<Partial<Record<FilterName, string>>>
}

export function readPaymentQuery({ query, context, zone }: Visit): PaymentQuery {
  const values: Partial<Record<FilterName, string>> = {}
  for (const name of filterNames) {
    const value = query.get(name)?.trim()
    if (value) values[name] = value
  }
  const problems: Partial<Record<FilterName, string>> = {}
  const days = readDays(values, problems, context.clock.now(), zone)
  const wanted: PaymentWish = {
    text: values.q,
    status: paymentStatuses.find((one) => one === values.status),
    createdSince: days.from ? startOfDay(days.from, zone) : undefined,
    createdBefore: days.to ? startOfDay(addDays(days.to, 1), zone) : undefined,
    currency: values.currency && isCurrency(values.currency) ? values.currency : undefined,
    method: values.method && /^[a-z0-9_]{1,40}$/.test(values.method) ? values.method : undefined,
    ...readPayer(values, problems),
    ...readAmounts(values, problems),
    ...readOffer(values),
  }
  return { values, wanted, problems }
}

type Values = Partial<Record<FilterName, string>>

function readDays(values: Values, problems: Values, now: Date, zone: string): Partial<Days> {
  const period = findPeriod(values.period ?? null)
  const days: { from?: string; to?: string } = period ? { ...daysOf(period, now, zone) } : {}
  for (const name of ['from', 'to'] as const) {
    const value = values[name]
    if (value === undefined) continue
    if (day().safeParse(value).success) days[name] = value
    else problems[name] = 'Enter a date such as 2030-01-31.'
  }
  if (days.from && days.to && days.from > days.to) {
    problems.to = 'The last day must not be before the first.'
  }
  return days
}

function readPayer({ payer }: Values, problems: Values): PaymentWish {
  if (payer === undefined) return {}
  const read = emailAddress().safeParse(payer)
  if (read.success) return { email: read.data }
  problems.payer = 'Enter the whole e-mail address, or use the search for a part of it.'
  return {}
}

function readAmounts(values: Values, problems: Values): PaymentWish {
  const { currency } = values
  const shape =
    currency && isCurrency(currency) ? currencyOf(currency) : { code: 'NGN', decimals: 2 }
  const read = (name: 'min' | 'max'): Decimal | undefined => {
    const text = values[name]
    if (text === undefined) return undefined
    const amount = parseTypedAmount(text, shape)
    if (!amount) problems[name] = 'Enter an amount in figures, for example 1500.50.'
    return amount
  }
  const [min, max] = [read('min'), read('max')]
  if (min && max && compare(min, max) > 0) problems.max = 'Must not be below the lowest amount.'
  return { amountFrom: min && toText(min), amountTo: max && toText(max) }
}

function readOffer({ link, code }: Values): PaymentWish {
  return {
    paymentLinkId: link && isUuid(link) ? link : undefined,
    qrCodeId: code && isUuid(code) ? code : undefined,
  }
}

// The address of the list with some filters changed. It starts at the first page.
export function changed(
  values: PaymentQuery['values'],
  changes: Readonly<Partial<Record<FilterName, string | undefined>>>,
): Query {
  return { ...values, ...changes }
}
