// A settlement: a payment whose money the provider has made available, with what became of it.
// A page of them is columns of text, in minor units, and is written out as text; nothing here makes
// an object for a row, since there may be millions.
//
// gross       what the payer paid; fee + net
// refunded    what was given back of it until now, in the range or after it
// net_settled net − refunded; below zero after a full refund, since the fee is not returned
import { z } from 'zod'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { csvLineEnd, csvText } from '../../kernel/http/csv.ts'
import { timestamp } from '../../kernel/http/schemas.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { Decimal } from '../../kernel/money/decimal.ts'
import { majorText } from '../../kernel/money/minor-units.ts'

// From the first moment to before the last.
export type SettledRange = {
  readonly since: Date
  readonly before: Date
  readonly splitRecipientId: string | undefined
}

// Where a page ended: payments may settle in the same moment, so the id decides among them.
export type SettledPlace = { readonly time: string; readonly id: string }

// What is none is an empty text.
export type SettledPage = {
  readonly ids: readonly string[]
  readonly currencies: readonly string[]
  readonly gross: readonly string[]
  readonly fees: readonly string[]
  readonly nets: readonly string[]
  readonly refunded: readonly string[]
  readonly recipientIds: readonly string[]
  readonly splits: readonly string[]
  readonly passedOverIds: readonly string[]
  // In UTC, as ISO 8601 has it, with six decimals and no zone.
  readonly times: readonly string[]
}

export function lastPlace({ times, ids }: SettledPage): SettledPlace {
  const time = assertDefined(times.at(-1), 'a page without rows')
  return { time, id: assertDefined(ids.at(-1), 'a page without rows') }
}

const major = () => z.number().meta({ 'x-unit': 'major' })
const minor = () => z.int().meta({ 'x-unit': 'minor' })

const amounts = {
  gross: major().meta({ description: 'What the payer paid; fee + net.' }),
  fee: major(),
  net: major(),
  refunded: major().meta({ description: 'What was given back until now, also after the range.' }),
  net_settled: major().meta({ description: 'net − refunded.' }),
}

const amountsMinor = {
  gross_minor: minor(),
  fee_minor: minor(),
  net_minor: minor(),
  refunded_minor: minor(),
  net_settled_minor: minor(),
}

const settlementSchema = z.object({
  payment_id: z.uuid(),
  currency: z.string(),
  ...amounts,
  split_recipient_id: z.uuid().nullable().meta({ description: 'Who got a share of it.' }),
  split_amount: major().nullable().meta({ description: 'The share, taken from the net.' }),
  passed_over_recipient_id: z.uuid().nullable().meta({
    description:
      'Who would have got a share and was disabled when the payer paid: it settled to the merchant.',
  }),
  settled_at: timestamp(),
  ...amountsMinor,
  split_amount_minor: minor().nullable(),
})

// The same in both formats.
export const settlementColumns: readonly string[] = Object.keys(settlementSchema.shape)

export const settlementsSchema = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  data: z.array(settlementSchema),
  summary: z
    .array(z.object({ currency: z.string(), count: z.int(), ...amounts, ...amountsMinor }))
    .meta({ description: 'The sums of `data`, per currency.' }),
})

export type Totals = Map<string, CurrencyTotal>

type CurrencyTotal = {
  readonly decimals: number
  count: number
  grossMinor: bigint
  feeMinor: bigint
  netMinor: bigint
  refundedMinor: bigint
}

// One row, every value as the text that it is written with; amounts are numbers.
type SettlementRow = {
  readonly paymentId: string
  readonly currency: string
  readonly decimals: number
  readonly gross: string
  readonly fee: string
  readonly net: string
  readonly refunded: string
  readonly netSettled: string
  readonly recipientId: string
  readonly split: string
  readonly passedOverId: string
  readonly settledAt: string
}

// Writes a page and adds it to the totals, so that the two cannot disagree.
export function writePage(
  page: SettledPage,
  totals: Totals,
  write: (row: SettlementRow) => string,
): string {
  let text = ''
  for (let index = 0; index < page.ids.length; index += 1) {
    const currency = cell(page.currencies, index)
    const gross = cell(page.gross, index)
    const fee = cell(page.fees, index)
    const net = cell(page.nets, index)
    const refunded = cell(page.refunded, index)
    const total = totals.get(currency) ?? newTotal(totals, currency)
    total.count += 1
    total.grossMinor += BigInt(gross)
    total.feeMinor += BigInt(fee)
    total.netMinor += BigInt(net)
    // Most payments are not refunded, and a sum of big numbers is not for nothing.
    const isWhole = refunded === '0'
    if (!isWhole) total.refundedMinor += BigInt(refunded)
    text += write({
      paymentId: cell(page.ids, index),
      currency,
      decimals: total.decimals,
      gross,
      fee,
      net,
      refunded,
      netSettled: isWhole ? net : String(BigInt(net) - BigInt(refunded)),
      recipientId: cell(page.recipientIds, index),
      split: cell(page.splits, index),
      passedOverId: cell(page.passedOverIds, index),
      settledAt: `${cell(page.times, index).slice(0, 23)}Z`,
    })
  }
  return text
}

export function jsonRow(row: SettlementRow): string {
  const { decimals, gross, fee, net, refunded, netSettled, split } = row
  return (
    `{"payment_id":"${row.paymentId}","currency":"${row.currency}"` +
    `,"gross":${majorText(gross, decimals)},"fee":${majorText(fee, decimals)}` +
    `,"net":${majorText(net, decimals)},"refunded":${majorText(refunded, decimals)}` +
    `,"net_settled":${majorText(netSettled, decimals)}` +
    `,"split_recipient_id":${orNull(row.recipientId)}` +
    `,"split_amount":${split === '' ? 'null' : majorText(split, decimals)}` +
    `,"passed_over_recipient_id":${orNull(row.passedOverId)},"settled_at":"${row.settledAt}"` +
    `,"gross_minor":${gross},"fee_minor":${fee},"net_minor":${net}` +
    `,"refunded_minor":${refunded},"net_settled_minor":${netSettled}` +
    `,"split_amount_minor":${split === '' ? 'null' : split}},`
  )
}

export function csvRow(row: SettlementRow): string {
  const { decimals, gross, fee, net, refunded, netSettled, split } = row
  return (
    `${csvText(row.paymentId)},${csvText(row.currency)}` +
    `,${majorText(gross, decimals)},${majorText(fee, decimals)},${majorText(net, decimals)}` +
    `,${majorText(refunded, decimals)},${majorText(netSettled, decimals)}` +
    `,${csvText(row.recipientId)},${split === '' ? '' : majorText(split, decimals)}` +
    `,${csvText(row.passedOverId)},${csvText(row.settledAt)}` +
    `,${gross},${fee},${net},${refunded},${netSettled},${split}${csvLineEnd}`
  )
}

export function presentTotals(totals: Totals) {
  return [...totals].sort(byCurrency).map(([currency, total]) => {
    const { decimals, count, grossMinor, feeMinor, netMinor, refundedMinor } = total
    const netSettledMinor = netMinor - refundedMinor
    const inMajor = (amountMinor: bigint) => new Decimal(amountMinor, decimals)
    return {
      currency,
      count,
      gross: inMajor(grossMinor),
      fee: inMajor(feeMinor),
      net: inMajor(netMinor),
      refunded: inMajor(refundedMinor),
      net_settled: inMajor(netSettledMinor),
      gross_minor: grossMinor,
      fee_minor: feeMinor,
      net_minor: netMinor,
      refunded_minor: refundedMinor,
      net_settled_minor: netSettledMinor,
    }
  })
}

const byCurrency = ([left]: [string, unknown], [right]: [string, unknown]) =>
  left < right ? -1 : 1

const orNull = (id: string) => (id === '' ? 'null' : `"${id}"`)

function cell(column: readonly string[], index: number): string {
  const value = column[index]
  assert(value !== undefined, 'the columns of a page differ in length')
  return value
}

function newTotal(totals: Totals, currency: string): CurrencyTotal {
  const { decimals } = assertDefined(findCurrency(currency), `the unknown currency ${currency}`)
  const total = {
    decimals,
    count: 0,
    grossMinor: 0n,
    feeMinor: 0n,
    netMinor: 0n,
    refundedMinor: 0n,
  }
  totals.set(currency, total)
  return total
}
