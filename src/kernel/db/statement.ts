// SQL as a tagged template: sql`select ${value}`. Values are sent as parameters. Templates may
// also contain:
//   a fragment, or a list of fragments: ${isOpen ? sql`and open` : sql``};
//   names of columns and tables, camelCase or snake_case: ${sql('createdAt')};
//   rows after `insert into <table>`, and changes after `set`: ${sql({ ...row })}.
//
// A statement runs when it is awaited, and only once.
import { Json, writeValue } from './database-values.ts'

export type Parameter =
  | null
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | Json
  | readonly Parameter[]

export type Fragment = Statement<unknown>

type Row = Readonly<Record<string, unknown>>

type ParametersOf<T> = { readonly [K in keyof T]: Parameter | Fragment }

// The rows, and the number of rows that were read or changed.
export type Rows<T> = T & { readonly count: number }

export type SqlTag = {
  <T extends readonly unknown[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: readonly (Parameter | Fragment | readonly Fragment[] | Helper)[]
  ): Statement<Rows<T>>
  (names: string | readonly string[]): Helper
  <T extends ParametersOf<T>>(rows: readonly T[]): Helper
  <T extends ParametersOf<T>>(row: T): Helper
  json(value: unknown): Json
  // Never for text that a user can influence. May contain several statements.
  unsafe<T extends readonly unknown[] = Record<string, unknown>[]>(text: string): Statement<Rows<T>>
}

// A statement as it is sent to the server.
export type Query = {
  readonly text: string
  readonly values: (string | Buffer | null)[]
  // Whether the server should keep its plan.
  readonly isRepeated: boolean
  readonly origin: string
}

export type RunQuery = (query: Query) => Promise<Rows<unknown[]>>

type Source = { readonly strings: readonly string[]; readonly values: readonly unknown[] }

class Statement<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly source: Source
  readonly #run: () => Promise<unknown>
  #outcome: Promise<T> | undefined

  constructor(source: Source, run: () => Promise<unknown>) {
    this.source = source
    this.#run = run
  }

  // Starts it without awaiting it.
  execute(): this {
    this.#outcome ??= this.#run() as Promise<T>
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting it is what starts it
  then<A = T, B = never>(
    onKept?: ((value: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#outcome ??= this.#run() as Promise<T>
    return this.#outcome.then(onKept, onFailed)
  }

  catch<B = never>(onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onFailed)
  }

  finally(onSettled?: (() => void) | null): Promise<T> {
    return this.then().finally(onSettled)
  }
}

// Column names, rows or changes inside a template.
class Helper {
  readonly given: string | readonly string[] | Row | readonly Row[]

  constructor(given: Helper['given']) {
    this.given = given
  }
}

export function createTag(run: RunQuery): SqlTag {
  const make = (source: Source, isRepeated: boolean, origin: string) =>
    new Statement(source, async () => run({ ...writeStatement(source), isRepeated, origin }))
  const tag = (first: TemplateStringsArray | Helper['given'], ...values: unknown[]) =>
    isTemplate(first)
      ? make({ strings: first, values }, true, originOf(first, tag))
      : new Helper(first)
  const unsafe = (text: string) => make({ strings: [text], values: [] }, false, callSite(unsafe))
  const json = (value: unknown) => new Json(value)
  return Object.assign(tag, { json, unsafe }) as unknown as SqlTag
}

function isTemplate(given: unknown): given is TemplateStringsArray {
  return Array.isArray(given) && 'raw' in given
}

// For the stack of errors. Captured once for each template, since it is slow.
const origins = new WeakMap<TemplateStringsArray, string>()

function originOf(strings: TemplateStringsArray, tag: Callable): string {
  const known = origins.get(strings)
  if (known !== undefined) return known
  const origin = callSite(tag)
  origins.set(strings, origin)
  return origin
}

type Callable = (...given: never[]) => unknown

// The stack of the caller of this function.
function callSite(called: Callable): string {
  const at = { stack: '' }
  Error.captureStackTrace(at, called)
  return at.stack.slice(at.stack.indexOf('\n') + 1)
}

function writeStatement(source: Source): Pick<Query, 'text' | 'values'> {
  const values: (string | Buffer | null)[] = []
  return { text: writeSource(source, values), values }
}

type Written = (string | Buffer | null)[]

function writeSource({ strings, values }: Source, written: Written): string {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) {
    text += writePart(value, text, written) + (strings[index + 1] ?? '')
  }
  return text
}

function writePart(part: unknown, before: string, written: Written): string {
  if (part instanceof Statement) return writeSource(part.source, written)
  if (part instanceof Helper) return writeHelper(part, before, written)
  if (Array.isArray(part) && part[0] instanceof Statement) {
    return part.map((one: Fragment) => writeSource(one.source, written)).join(' ')
  }
  const { value, cast } = writeValue(part)
  return `$${written.push(value)}${cast}`
}

function writeHelper({ given }: Helper, before: string, written: Written): string {
  if (typeof given === 'string') return writeName(given)
  if (isNames(given)) return given.map(writeName).join(',')
  if (!isRows(given)) {
    return /\bset\s*$/i.test(before) ? writeChanges(given, written) : writeRows([given], written)
  }
  return writeRows(given, written)
}

function writeChanges(changes: Row, written: Written): string {
  return Object.entries(changes)
    .map(([name, value]) => `${writeName(name)}=${writePart(value, '', written)}`)
    .join(',')
}

function writeRows(rows: readonly Row[], written: Written): string {
  const names = Object.keys(rows[0] ?? {})
  const lists = rows.map(
    (row) => `(${names.map((name) => writePart(row[name], '', written)).join(',')})`,
  )
  return `(${names.map(writeName).join(',')})values${lists.join(',')}`
}

function isNames(given: Helper['given']): given is readonly string[] {
  return Array.isArray(given) && typeof given[0] === 'string'
}

function isRows(given: Helper['given']): given is readonly Row[] {
  return Array.isArray(given)
}

function writeName(name: string): string {
  const snake = name.replace(/[A-Z]/g, '_$&').toLowerCase()
  return snake
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}
