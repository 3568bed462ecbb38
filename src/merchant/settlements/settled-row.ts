// A row of a page that the database sent: nothing but where its values are, and the amounts among
// them as numbers. The same row is read again and again, since there may be millions.
import { assert } from '../../kernel/basics/assert.ts'
import { viewOf } from './piece.ts'
import type { CurrencyTotal } from './settlement-totals.ts'

// The columns of a page, in their order there.
export const [id, currency, gross, fee, net, refunded] = [0, 1, 2, 3, 4, 5]
export const [recipientId, split, passedOverId, time] = [6, 7, 8, 9]
const columnCount = 10

// Where the values of a row are in its page, and the amounts among them. Each ends before the comma
// or line end after it.
export type Row = {
  page: Uint8Array
  view: DataView
  readonly starts: Int32Array
  readonly amounts: Float64Array
  // What net − refunded is, as the database would have written it.
  readonly digits: Buffer
  readonly digitsView: DataView
  // Of the currency of this row, which is likely that of the next.
  total: CurrencyTotal | undefined
}

// Of any safe integer, and of what may be read beyond it.
const digitsBytes = 32

export function newRow(): Row {
  const page = Buffer.alloc(0)
  const digits = Buffer.alloc(digitsBytes)
  return {
    page,
    view: viewOf(page),
    starts: new Int32Array(columnCount + 1),
    amounts: new Float64Array(columnCount),
    digits,
    digitsView: viewOf(digits),
    total: undefined,
  }
}

export const startOf = ({ starts }: Row, column: number) => starts[column] ?? 0
export const endOf = ({ starts }: Row, column: number) => (starts[column + 1] ?? 0) - 1
export const isNone = (row: Row, column: number) => startOf(row, column) === endOf(row, column)
export const amountOf = ({ amounts }: Row, column: number) => amounts[column] ?? 0

const [comma, lineEnd, zero, minus] = [44, 10, 48, 45]
// Of an id, a currency's code, and a time without decimals.
const [idBytes, codeBytes, timeBytesMin] = [36, 3, 19]

// One pass, over what is not known to be of a certain length.
export function readRow(row: Row, start: number): void {
  const { page } = row
  row.starts[id] = start
  let at = start + idBytes
  assert(page[at] === comma && page[at + 1 + codeBytes] === comma, 'not a page of settlements')
  row.starts[currency] = at + 1
  at += 1 + codeBytes + 1
  for (let column = gross; column <= refunded; column += 1) at = readAmount(row, column, at)
  at = readId(row, recipientId, at)
  at = readAmount(row, split, at)
  at = readId(row, passedOverId, at)
  row.starts[time] = at
  at += timeBytesMin
  while (at < page.length && page[at] !== lineEnd) at += 1
  row.starts[columnCount] = at + 1
}

// Amounts stop at 10^15 minor units, so each is a safe integer.
function readAmount({ page, starts, amounts }: Row, column: number, start: number): number {
  starts[column] = start
  const isNegative = page[start] === minus
  let at = isNegative ? start + 1 : start
  let amount = 0
  for (; at < page.length && page[at] !== comma; at += 1) {
    amount = amount * 10 + ((page[at] ?? zero) - zero)
  }
  amounts[column] = isNegative ? -amount : amount
  return at + 1
}

function readId({ page, starts }: Row, column: number, start: number): number {
  starts[column] = start
  return (page[start] === comma ? start : start + idBytes) + 1
}
