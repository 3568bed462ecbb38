// Settlements as text, in either format. This runs for every row of an answer of millions: amounts
// are moved as digits, and only what is summed becomes a number.
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { csvLineEnd, csvText } from '../../kernel/http/csv.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { SettledPage } from './settlement.ts'

export type Totals = Map<string, CurrencyTotal>

type CurrencyTotal = {
  readonly decimals: number
  count: number
  grossMinor: bigint
  feeMinor: bigint
  netMinor: bigint
  refundedMinor: bigint
  splitMinor: bigint
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

// Long texts put together of many live long enough to be kept as old by the garbage collector, and
// then pile up; short ones are gone before it looks.
const rowsPerPiece = 100

// Writes a page in pieces and adds it to the totals, so that the two cannot disagree.
export function* writePage(
  page: SettledPage,
  totals: Totals,
  write: (row: SettlementRow) => string,
): Generator<string> {
  const { count } = page
  const nextRow = rowReader(page)
  for (let written = 0; written < count; written += rowsPerPiece) {
    let text = ''
    const end = Math.min(written + rowsPerPiece, count)
    for (let index = written; index < end; index += 1) text += write(nextRow(totals))
    yield text
  }
}

function rowReader(page: SettledPage): (totals: Totals) => SettlementRow {
  const nextId = valueReader(page.ids)
  const nextCurrency = valueReader(page.currencies)
  const nextGross = valueReader(page.gross)
  const nextFee = valueReader(page.fees)
  const nextNet = valueReader(page.nets)
  const nextRefunded = valueReader(page.refunded)
  const nextRecipientId = valueReader(page.recipientIds)
  const nextSplit = valueReader(page.splits)
  const nextPassedOverId = valueReader(page.passedOverIds)
  const nextTime = valueReader(page.times)
  return (totals) => {
    const currency = nextCurrency()
    const gross = nextGross()
    const fee = nextFee()
    const net = nextNet()
    const refunded = nextRefunded()
    const total = totals.get(currency) ?? newTotal(totals, currency)
    total.count += 1
    total.grossMinor += BigInt(gross)
    total.feeMinor += BigInt(fee)
    total.netMinor += BigInt(net)
    // Most payments are not refunded, and sums of big numbers take their time.
    const isWhole = refunded === '0'
    if (!isWhole) total.refundedMinor += BigInt(refunded)
    const split = nextSplit()
    if (split !== '') total.splitMinor += BigInt(split)
    return {
      paymentId: nextId(),
      currency,
      decimals: total.decimals,
      gross,
      fee,
      net,
      refunded,
      netSettled: isWhole ? net : String(BigInt(net) - BigInt(refunded)),
      recipientId: nextRecipientId(),
      split,
      passedOverId: nextPassedOverId(),
      settledAt: `${nextTime().slice(0, 23)}Z`,
    }
  }
}

function valueReader(column: string): () => string {
  let at = 0
  return () => {
    const comma = column.indexOf(',', at)
    const end = comma === -1 ? column.length : comma
    assert(at <= end, 'the columns of a page differ in length')
    const value = column.slice(at, end)
    at = end + 1
    return value
  }
}

// Begins with the comma that parts it from the row before.
export function jsonRow(row: SettlementRow): string {
  const { decimals, gross, fee, net, refunded, netSettled, split } = row
  return (
    `,{"payment_id":"${row.paymentId}","currency":"${row.currency}"` +
    `,"gross":${majorText(gross, decimals)},"fee":${majorText(fee, decimals)}` +
    `,"net":${majorText(net, decimals)},"refunded":${majorText(refunded, decimals)}` +
    `,"net_settled":${majorText(netSettled, decimals)}` +
    `,"split_recipient_id":${orNull(row.recipientId)}` +
    `,"split_amount":${split === '' ? 'null' : majorText(split, decimals)}` +
    `,"passed_over_recipient_id":${orNull(row.passedOverId)},"settled_at":"${row.settledAt}"` +
    `,"gross_minor":${gross},"fee_minor":${fee},"net_minor":${net}` +
    `,"refunded_minor":${refunded},"net_settled_minor":${netSettled}` +
    `,"split_amount_minor":${split === '' ? 'null' : split}}`
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

// As JSON, with the amounts written as the rows write them.
export function jsonTotals(totals: Totals): string {
  return `[${[...totals].sort(byCurrency).map(jsonTotal).join(',')}]`
}

function jsonTotal([currency, total]: [string, CurrencyTotal]): string {
  const { decimals, count, grossMinor, feeMinor, netMinor, refundedMinor, splitMinor } = total
  const sums = {
    gross: grossMinor,
    fee: feeMinor,
    net: netMinor,
    refunded: refundedMinor,
    net_settled: netMinor - refundedMinor,
    split: splitMinor,
  }
  const amounts = Object.entries(sums)
  const major = amounts.map(([name, minor]) => `,"${name}":${majorText(String(minor), decimals)}`)
  const minor = amounts.map(([name, minor]) => `,"${name}_minor":${minor}`)
  return `{"currency":"${currency}","count":${count}${major.join('')}${minor.join('')}}`
}

const byCurrency = ([left]: [string, unknown], [right]: [string, unknown]) =>
  left < right ? -1 : 1

const orNull = (id: string) => (id === '' ? 'null' : `"${id}"`)

function newTotal(totals: Totals, currency: string): CurrencyTotal {
  const { decimals } = assertDefined(findCurrency(currency), `the unknown currency ${currency}`)
  const total = {
    decimals,
    count: 0,
    grossMinor: 0n,
    feeMinor: 0n,
    netMinor: 0n,
    refundedMinor: 0n,
    splitMinor: 0n,
  }
  totals.set(currency, total)
  return total
}
