// Settlements as bytes, in either format. This runs for every row of an answer of millions, so no
// row becomes an object and no value a text: bytes are copied from the page that the database sent
// into the next piece of the answer, and only what is summed becomes a number. A piece is always
// the same buffer, so that memory does not grow with the answer.
import { csvLineEnd } from '../../kernel/http/csv.ts'
import {
  type Constant,
  constant,
  copy,
  newPiece,
  type Piece,
  put,
  putMajor,
  putTime,
  viewOf,
} from './piece.ts'
import {
  amountOf,
  currency,
  endOf,
  fee,
  gross,
  id,
  isNone,
  net,
  newRow,
  passedOverId,
  type Row,
  readRow,
  recipientId,
  refunded,
  split,
  startOf,
  time,
} from './settled-row.ts'
import { type SettledPage, type SettlementColumn, settlementColumns } from './settlement.ts'
import { add, type CurrencyTotal, type Totals, totalOf } from './settlement-totals.ts'

// The formats have the same values in the same order. None is text that others wrote, so in CSV
// none needs quotes or could be taken for a formula.
export type RowFormat = {
  readonly columns: Readonly<Record<SettlementColumn, ColumnFormat>>
  readonly rowEnd: Constant
  readonly betweenRows: Constant
}

// What stands around a value, and what in place of one that is not there.
type ColumnFormat = {
  readonly before: Constant
  readonly after: Constant
  readonly none: Constant
}

export const jsonRows: RowFormat = {
  columns: columnFormats((name, index) => {
    const start = `${index === 0 ? '{' : ','}"${name}":`
    const quote = /_id$|_at$|^currency$/.test(name) ? '"' : ''
    return [start + quote, quote, `${start}null`]
  }),
  rowEnd: constant('}'),
  betweenRows: constant(','),
}

export const csvRows: RowFormat = {
  columns: columnFormats((_, index) => (index === 0 ? ['', '', ''] : [',', '', ','])),
  rowEnd: constant(csvLineEnd),
  betweenRows: constant(''),
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
  const piece = newPiece(pieceBytes)
  const { bytes } = piece
  piece.at = bytes.write(opening, 'latin1')
  const row = newRow()
  for await (const page of pages) {
    row.page = page
    row.view = viewOf(page)
    for (let start = 0; start < page.length; start = endOf(row, time) + 1) {
      if (piece.at > pieceBytes - rowBytesMax) {
        yield bytes.subarray(0, piece.at)
        piece.at = 0
      }
      if (row.total !== undefined) put(piece, format.betweenRows)
      readRow(row, start)
      putRow(piece, format, row, countRow(row, totals))
    }
  }
  yield bytes.subarray(0, piece.at)
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
  putTime(piece, row.view, startOf(row, time), endOf(row, time))
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
    copy(piece, row.view, startOf(row, column), endOf(row, column))
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
    putMajor(piece, row.view, startOf(row, column), endOf(row, column), decimals)
  }
}

function putNetSettled(piece: Piece, format: ColumnFormat, row: Row, decimals: number): void {
  const refundedMinor = amountOf(row, refunded)
  // Most payments are not refunded, and then it is the net.
  if (refundedMinor === 0) {
    putAmount(piece, format, row, net, decimals)
  } else {
    const length = row.digits.write(String(amountOf(row, net) - refundedMinor), 'latin1')
    put(piece, format.before)
    putMajor(piece, row.digitsView, 0, length, decimals)
  }
}

function columnFormats(
  texts: (name: string, index: number) => [before: string, after: string, none: string],
): Record<SettlementColumn, ColumnFormat> {
  const entries = settlementColumns.map((name, index) => {
    const [before, after, none] = texts(name, index)
    return [name, { before: constant(before), after: constant(after), none: constant(none) }]
  })
  return Object.fromEntries(entries)
}
