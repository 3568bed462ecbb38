// Converts values to and from the text format of PostgreSQL. Values other than strings and numbers
// are sent with a cast, so that `${5n}` is a bigint even where the context does not say so.
import pg from 'pg'

export type JsonValue =
  | null
  | string
  | number
  | boolean
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined }

export type WrittenValue = { readonly value: string | Buffer | null; readonly cast: string }

// A value for a column of type json or jsonb.
export class Json {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

export function writeValue(value: unknown): WrittenValue {
  if (value === null) return { value, cast: '' }
  switch (typeof value) {
    case 'string':
      return { value, cast: '' }
    case 'number':
      return { value: String(value), cast: '' }
    case 'bigint':
      return { value: String(value), cast: '::int8' }
    case 'boolean':
      return { value: writeBoolean(value), cast: '::boolean' }
  }
  if (value instanceof Date) return { value: writeInstant(value), cast: '::timestamptz' }
  if (value instanceof Uint8Array) return { value: asBuffer(value), cast: '::bytea' }
  if (value instanceof Json) return { value: writeJson(value), cast: '::jsonb' }
  if (Array.isArray(value)) return { value: writeList(value), cast: '' }
  throw new TypeError(`a value of a statement is ${describe(value)}`)
}

function writeBoolean(value: boolean): string {
  return value ? 't' : 'f'
}

function writeInstant(value: Date): string {
  if (Number.isNaN(value.getTime())) throw new TypeError('a value of a statement is no valid date')
  return value.toISOString()
}

function asBuffer(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

function writeJson({ value }: Json): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('a value of a statement is no JSON')
  return text
}

function writeList(values: readonly unknown[]): string {
  return `{${values.map(writeElement).join(',')}}`
}

function writeElement(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return writeList(value)
  const { value: written } = writeValue(value)
  const text = Buffer.isBuffer(written) ? `\\x${written.toString('hex')}` : String(written)
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function describe(value: unknown): string {
  return typeof value === 'object' ? 'an object; wrap it with `json`' : typeof value
}

type Read = (text: string) => unknown

const readText: Read = (text) => text
// The parser of `pg` for text[] reads every array: they all have the same format.
const { getTypeParser } = pg.types as { getTypeParser(type: number, format: 'text'): Read }
const readTexts = getTypeParser(1009, 'text')

// By the OID of the type. All other types stay text, for example `date`, which has no time zone,
// and `numeric`, which a JavaScript number cannot hold exactly.
const readers = new Map<number, Read>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, BigInt],
  [21, Number],
  [23, Number],
  [26, Number],
  [114, JSON.parse],
  [700, Number],
  [701, Number],
  [1114, (text) => new Date(text)],
  [1184, (text) => new Date(text)],
  [3802, JSON.parse],
])

// The OIDs of array types and of their elements.
const arrays: readonly (readonly [array: number, element: number])[] = [
  [199, 114],
  [1000, 16],
  [1001, 17],
  [1002, 18],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1041, 869],
  [1115, 1114],
  [1182, 1082],
  [1185, 1184],
  [1231, 1700],
  [2951, 2950],
  [3807, 3802],
]
for (const [array, element] of arrays) {
  const read = readers.get(element) ?? readText
  readers.set(array, (text) => readElements(readTexts(text), read))
}

function readElements(value: unknown, read: Read): unknown {
  if (Array.isArray(value)) return value.map((one) => readElements(one, read))
  return value === null ? null : read(String(value))
}

// For the option `types` of `pg`.
export const valueTypes = { getTypeParser: (type: number): Read => readers.get(type) ?? readText }
