// A piece of a long answer while it is made: a buffer, and how far it is filled. What is written to
// it are bytes of the page that the database sent, and names and signs around them.
//
// Both are copied in words of eight bytes, by the two calls that the runtime makes one instruction
// of; a loop over bytes, or a call of the runtime for every value, takes several times as long. The
// last word of a value may reach up to seven bytes beyond it. What is written there is overwritten
// by what comes next, and to read there something must follow (see `copy`). A word is moved as a
// float, whose bits all stay as they are unless it is no number; for that its last byte would have
// to be 127 or 255, and all of this is letters, digits and signs.
import { assert } from '../../kernel/basics/assert.ts'

export type Piece = { readonly bytes: Buffer; readonly view: DataView; at: number }

// What always stands there, as words.
export type Constant = { readonly words: Float64Array; readonly length: number }

const [minus, point, zero, letterT, letterZ] = [45, 46, 48, 84, 90]
const wordBytes = 8
const [yearLength, dayLength, secondsLength] = [4, 10, 19]

export function newPiece(size: number): Piece {
  const bytes = Buffer.allocUnsafeSlow(size)
  return { bytes, view: viewOf(bytes), at: 0 }
}

export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length)
}

export function constant(text: string): Constant {
  const bytes = Buffer.alloc(text.length + wordBytes)
  bytes.write(text, 'latin1')
  const view = viewOf(bytes)
  const count = Math.ceil(text.length / wordBytes)
  const words = Float64Array.from({ length: count }, (_, n) => view.getFloat64(n * wordBytes, true))
  return { words, length: text.length }
}

export function put(piece: Piece, { words, length }: Constant): void {
  const { view, at } = piece
  for (let index = 0; index < words.length; index += 1) {
    view.setFloat64(at + index * wordBytes, words[index] ?? 0, true)
  }
  piece.at = at + length
}

// Seven bytes must follow in the source.
export function copy(piece: Piece, source: DataView, from: number, to: number): void {
  const { view, at } = piece
  for (let index = from, target = at; index < to; index += wordBytes, target += wordBytes) {
    view.setFloat64(target, source.getFloat64(index, true), true)
  }
  piece.at = at + to - from
}

// Minor units in major ones: the same digits with a point, and with all the decimals that the
// currency has. Seven bytes must follow in the source.
export function putMajor(
  piece: Piece,
  source: DataView,
  from: number,
  to: number,
  decimals: number,
): void {
  if (decimals === 0) {
    copy(piece, source, from, to)
    return
  }
  const isNegative = source.getUint8(from) === minus
  const first = isNegative ? from + 1 : from
  const firstDecimal = to - decimals
  if (isNegative) putByte(piece, minus)
  if (firstDecimal > first) copy(piece, source, first, firstDecimal)
  else putByte(piece, zero)
  putByte(piece, point)
  for (let missing = first - firstDecimal; missing > 0; missing -= 1) putByte(piece, zero)
  copy(piece, source, Math.max(first, firstDecimal), to)
}

// `2026-01-31 10:00:00.123456`, its decimals as many as are needed, as `2026-01-31T10:00:00.123Z`.
// Nothing need follow in the source.
export function putTime(piece: Piece, source: DataView, from: number, to: number): void {
  const seconds = from + secondsLength
  assert(to >= seconds && source.getUint8(from + yearLength) === minus, 'not a time')
  const { view, at } = piece
  // The shortest has 19 bytes: the third word ends there.
  for (const offset of timeWords) {
    view.setFloat64(at + offset, source.getFloat64(from + offset, true), true)
  }
  view.setUint8(at + dayLength, letterT)
  piece.at = at + secondsLength
  putByte(piece, point)
  for (let decimal = seconds + 1; decimal <= seconds + 3; decimal += 1) {
    putByte(piece, decimal < to ? source.getUint8(decimal) : zero)
  }
  putByte(piece, letterZ)
}

const timeWords = [0, 8, 11] as const

function putByte(piece: Piece, byte: number): void {
  piece.view.setUint8(piece.at, byte)
  piece.at += 1
}
