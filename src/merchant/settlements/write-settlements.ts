// Settlements as bytes, in either format. This runs for every row of an answer of millions, so no
// row becomes an object and no value a text: bytes are copied from the page that the database sent
// into the next piece of the answer, and only what is summed becomes a number. A piece is always
// the same buffer, so that memory does not grow with the answer.
import { assert } from '../../kernel/basics/assert.ts'
import { csvLineEnd } from '../../kernel/http/csv.ts'
import { bytesOf, copy, type Piece, put, putMajor, putTime } from './piece.ts'
import { type SettledPage, type SettlementColumn, settlementColumns } from './settlement.ts'
import { add, type CurrencyTotal, type Totals, totalOf } from './settlement-totals.ts'

// The formats have the same values in the same order. None is text that others wrote, so in CSV
// none needs quotes or could be taken for a formula.
export type RowFormat = {
  readonly columns: Readonly<Record<SettlementColumn, ColumnFormat>>
  readonly rowEnd: Uint8Array
  readonly betweenRows: Uint8Array
}

// What stands around a value, and what in place of one that is not there.
type ColumnFormat = {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly none: Uint8Array
}

export const jsonRows: RowFormat = {
  columns: columnFormats((name, index) => {
    const start = `${index === 0 ? '{' : ','}"${name}":`
    const quote = /_id$|_at$|^currency$/.test(name) ? '"' : ''
    return [start + quote, quote, `${start}null`]
  }),
  rowEnd: bytesOf('}'),
  betweenRows: bytesOf(','),
}

export const csvRows: RowFormat = {
  columns: columnFormats((_, index) => (index === 0 ? ['', '', ''] : [',', '', ','])),
  rowEnd: bytesOf(csvLineEnd),
  betweenRows: bytesOf(''),
}

// Large enough that sending one costs little beside making it.
const pieceBytes = 128 * 1024
// More than any row has: 400 of names, 200 of ids and time, 13 amounts of at most 18.
const rowBytesMax = 1024

export async function* writeSettlements(
  opening: string,
  pages: AsyncIterable<SettledPage>,
  format: RowFormat,
  totals: Totals,
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(pieceBytes)
  const piece: Piece = { bytes, at: bytes.write(opening, 'latin1') }
  const row = newRow()
  for await (const page of pages) {
    for (let start = 0; start < page.length; start = endOf(row, time) + 1) {
      if (piece.at > pieceBytes - rowBytesMax) {
        yield bytes.subarray(0, piece.at)
        piece.at = 0
      }
      if (row.total !== undefined) put(piece, format.betweenRows)
      readRow(row, page, start)
      putRow(piece, format, row, countRow(row, totals))
    }
  }
  yield bytes.subarray(0, piece.at)
}

// The columns of a page, in their order there.
const [id, currency, gross, fee, net, refunded] = [0, 1, 2, 3, 4, 5]
const [recipientId, split, passedOverId, time] = [6, 7, 8, 9]
const columnCount = 10

// Where the values of a row are in its page, and the amounts among them. Each ends before the comma
// or line end after it.
type Row = {
  page: Uint8Array
  readonly starts: Int32Array
  readonly amounts: Float64Array
  // Of the currency of this row, which is likely that of the next.
  total: CurrencyTotal | undefined
}

function newRow(): Row {
  return {
    page: bytesOf(''),
    starts: new Int32Array(columnCount + 1),
    amounts: new Float64Array(columnCount),
    total: undefined,
  }
}

const startOf = ({ starts }: Row, column: number) => starts[column] ?? 0
const endOf = ({ starts }: Row, column: number) => (starts[column + 1] ?? 0) - 1
const isNone = (row: Row, column: number) => startOf(row, column) === endOf(row, column)
const amountOf = ({ amounts }: Row, column: number) => amounts[column] ?? 0

const [comma, lineEnd, zero, minus] = [44, 10, 48, 45]
// Of an id, a currency's code, and a time without its decimals.
const [idBytes, codeBytes, timeBytesMin] = [36, 3, 19]

// One pass, over what is not known to be of a certain length.
function readRow(row: Row, page: Uint8Array, start: number): void {
  row.page = page
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

function countRow(row: Row, totals: Totals): CurrencyTotal {
  const total = findTotal(row, totals)
  total.count += 1
  add(total.gross, amountOf(row, gross))
  add(total.fee, amountOf(row, fee))
  add(total.net, amountOf(row, net))
  add(total.refunded, amountOf(row, refunded))
  if (!isNone(row, split)) add(total.split, amountOf(row, split))
  return total
}

function findTotal(row: Row, totals: Totals): CurrencyTotal {
  const { page, total } = row
  const start = startOf(row, currency)
  if (total && isAt(page, start, total.code)) return total
  const code = String.fromCharCode(...page.subarray(start, endOf(row, currency)))
  row.total = totalOf(totals, code)
  return row.total
}

// All codes have three letters.
const isAt = (page: Uint8Array, at: number, code: Uint8Array) =>
  page[at] === code[0] && page[at + 1] === code[1] && page[at + 2] === code[2]

function putRow(piece: Piece, format: RowFormat, row: Row, { decimals }: CurrencyTotal): void {
  const { columns, rowEnd } = format
  putText(piece, columns.payment_id, row, id)
  putText(piece, columns.currency, row, currency)
  putAmount(piece, columns.gross, row, gross, decimals)
  putAmount(piece, columns.fee, row, fee, decimals)
  putAmount(piece, columns.net, row, net, decimals)
  putAmount(piece, columns.refunded, row, refunded, decimals)
  putNetSettled(piece, columns.net_settled, row, decimals)
  putText(piece, columns.split_recipient_id, row, recipientId)
  putAmount(piece, columns.split_amount, row, split, decimals)
  putText(piece, columns.passed_over_recipient_id, row, passedOverId)
  put(piece, columns.settled_at.before)
  putTime(piece, row.page, startOf(row, time), endOf(row, time))
  put(piece, columns.settled_at.after)
  putAmount(piece, columns.gross_minor, row, gross, 0)
  putAmount(piece, columns.fee_minor, row, fee, 0)
  putAmount(piece, columns.net_minor, row, net, 0)
  putAmount(piece, columns.refunded_minor, row, refunded, 0)
  putNetSettled(piece, columns.net_settled_minor, row, 0)
  putAmount(piece, columns.split_amount_minor, row, split, 0)
  put(piece, rowEnd)
}

function putText(piece: Piece, format: ColumnFormat, row: Row, column: number): void {
  if (isNone(row, column)) {
    put(piece, format.none)
  } else {
    put(piece, format.before)
    copy(piece, row.page, startOf(row, column), endOf(row, column))
    put(piece, format.after)
  }
}

function putAmount(
  piece: Piece,
  format: ColumnFormat,
  row: Row,
  column: number,
  decimals: number,
): void {
  if (isNone(row, column)) {
    put(piece, format.none)
  } else {
    put(piece, format.before)
    putMajor(piece, row.page, startOf(row, column), endOf(row, column), decimals)
  }
}

function putNetSettled(piece: Piece, format: ColumnFormat, row: Row, decimals: number): void {
  const refundedMinor = amountOf(row, refunded)
  // Most payments are not refunded, and then it is the net.
  if (refundedMinor === 0) {
    putAmount(piece, format, row, net, decimals)
  } else {
    const digits = bytesOf(String(amountOf(row, net) - refundedMinor))
    put(piece, format.before)
    putMajor(piece, digits, 0, digits.length, decimals)
  }
}

function columnFormats(
  texts: (name: string, index: number) => [before: string, after: string, none: string],
): Record<SettlementColumn, ColumnFormat> {
  const entries = settlementColumns.map((name, index) => {
    const [before = bytesOf(''), after = before, none = before] = texts(name, index).map(bytesOf)
    return [name, { before, after, none }]
  })
  return Object.fromEntries(entries)
}
