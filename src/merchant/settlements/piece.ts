// A piece of a long answer while it is made: a buffer, and how far it is filled. What is written to
// it are bytes of the page that the database sent, and names and signs around them.
import { assert } from '../../kernel/basics/assert.ts'

export type Piece = { readonly bytes: Uint8Array; at: number }

const [minus, point, zero, letterT, letterZ] = [45, 46, 48, 84, 90]
// Up to here a loop takes less time than a call of the runtime.
const shortBytes = 8
const dayLength = 10
const secondsLength = 19

export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')

export function put(piece: Piece, constant: Uint8Array): void {
  if (constant.length < shortBytes) {
    copy(piece, constant, 0, constant.length)
  } else {
    piece.bytes.set(constant, piece.at)
    piece.at += constant.length
  }
}

export function copy(piece: Piece, source: Uint8Array, from: number, to: number): void {
  const { bytes } = piece
  let { at } = piece
  for (let index = from; index < to; index += 1, at += 1) bytes[at] = source[index] ?? 0
  piece.at = at
}

// Minor units in major ones: the same digits with a point, and with all the decimals that the
// currency has.
export function putMajor(
  piece: Piece,
  source: Uint8Array,
  from: number,
  to: number,
  decimals: number,
): void {
  if (decimals === 0) {
    copy(piece, source, from, to)
    return
  }
  const isNegative = source[from] === minus
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
export function putTime(piece: Piece, source: Uint8Array, from: number, to: number): void {
  assert(to - from >= secondsLength, 'not a time')
  copy(piece, source, from, from + dayLength)
  putByte(piece, letterT)
  copy(piece, source, from + dayLength + 1, from + secondsLength)
  putByte(piece, point)
  for (let index = 1; index <= 3; index += 1) {
    const decimal = from + secondsLength + index
    putByte(piece, decimal < to ? (source[decimal] ?? zero) : zero)
  }
  putByte(piece, letterZ)
}

function putByte(piece: Piece, byte: number): void {
  piece.bytes[piece.at] = byte
  piece.at += 1
}
