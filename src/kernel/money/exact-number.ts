// Reads and writes JSON without floats. `JSON.parse` turns 0.1 and 12345678901234567.89 into the
// nearest double, so every number keeps the text that was sent. Callers parse that text as a
// Decimal and can still see the original.

// Deeper than any body needs. JSON.parse itself does not recurse, but its reviver, JSON.stringify
// and every walk over the value do, and would overflow the stack.
export const jsonDepthMax = 64

// A JSON number as it was written. A class because JSON.stringify calls `toJSON`.
export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toJSON(): unknown {
    return rawNumber(this.source)
  }
}

// Throws a SyntaxError, like JSON.parse, if the text is not JSON or is nested too deeply. The
// reviver makes parsing several times slower, so text without numbers is parsed without it.
export function parseJson(text: string): unknown {
  const { depth, hasNumber } = scan(text)
  if (depth > jsonDepthMax) {
    throw new SyntaxError(`JSON is nested more than ${jsonDepthMax} levels deep`)
  }
  return hasNumber ? exactJson.parse(text, keepSource) : JSON.parse(text)
}

// JSON.stringify with bigint written as a number. ExactNumber and Decimal do the same in `toJSON`.
// A replacer would take twice as long as this walk.
export function writeJson(value: unknown): string {
  return JSON.stringify(rawBigints(value))
}

// Makes the text of a JSON number into a value that JSON.stringify prints unchanged and without
// quotes.
export function rawNumber(text: string): unknown {
  return exactJson.rawJSON(text)
}

// Node 24 has both. TypeScript's type declarations don't yet.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

const keepSource: Reviver = (_key, value, context) =>
  typeof value === 'number' && context.source !== undefined
    ? new ExactNumber(context.source)
    : value

// For libraries that call JSON.stringify themselves, such as the database driver. Copies only the
// branches that contain a bigint.
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

// One pass over the characters. JSON.parse decides whether the text is valid.
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
