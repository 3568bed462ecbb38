// JSON in and out without a float in between. `JSON.parse` turns 0.1 and 12345678901234567.89 into
// the nearest double, so every number is kept here as the text that was sent; whoever needs its
// value parses that text as a Decimal and can still see what the caller wrote.

// Deeper than any body has reason to be. JSON.parse itself does not recurse, but its reviver,
// JSON.stringify and every walk over the value do, and would run out of stack.
export const jsonDepthMax = 64

// One JSON number as it was written. A class, because JSON.stringify asks objects for `toJSON`.
export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toJSON(): unknown {
    return rawNumber(this.source)
  }
}

// Throws a SyntaxError, as JSON.parse does, for text that is not JSON or is nested too deeply.
// The reviver makes parsing several times slower, so text without a number is spared it.
export function parseJson(text: string): unknown {
  const { depth, hasNumber } = scan(text)
  if (depth > jsonDepthMax) {
    throw new SyntaxError(`JSON is nested more than ${jsonDepthMax} levels deep`)
  }
  return hasNumber ? exactJson.parse(text, keepSource) : JSON.parse(text)
}

// JSON.stringify with bigint written as the number it is; ExactNumber and Decimal do the same
// through their `toJSON`. A replacer would do too, at twice the cost of this walk.
export function writeJson(value: unknown): string {
  return JSON.stringify(rawBigints(value))
}

// Text of a JSON number, made into what JSON.stringify prints without change or quotes.
export function rawNumber(text: string): unknown {
  return exactJson.rawJSON(text)
}

// Node 24 has both; the language's own type declarations do not yet.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

const keepSource: Reviver = (_key, value, context) =>
  typeof value === 'number' && context.source !== undefined
    ? new ExactNumber(context.source)
    : value

// For whoever calls JSON.stringify in our place, as the database's driver does. Copies only the
// branches that hold a bigint; everything else is passed on as it is.
export function rawBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return rawNumber(value.toString())
  if (typeof value !== 'object' || value === null) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return value
  const entries = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(entries)) {
    const entry = entries[key]
    const written = rawBigints(entry)
    if (written === entry) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[key] = written
  }
  return copy ?? value
}

const quote = 0x22
const backslash = 0x5c
const openingBracket = 0x5b
const closingBracket = 0x5d
const openingBrace = 0x7b
const closingBrace = 0x7d
const zero = 0x30
const nine = 0x39

// One pass over the characters that decides nothing about validity; JSON.parse does that.
function scan(text: string): { depth: number; hasNumber: boolean } {
  let open = 0
  let depth = 0
  let hasNumber = false
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === backslash) index += 1
      else if (character === quote) inString = false
    } else if (character === quote) {
      inString = true
    } else if (character === openingBrace || character === openingBracket) {
      open += 1
      if (open > depth) depth = open
    } else if (character === closingBrace || character === closingBracket) {
      open -= 1
    } else if (character >= zero && character <= nine) {
      hasNumber = true
    }
  }
  return { depth, hasNumber }
}
