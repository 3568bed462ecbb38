import { parseJson } from '../../kernel/money/exact-number.ts'

// With line breaks, and every digit as it was.
export function prettyJson(text: string): string {
  return JSON.stringify(parseJson(text), null, 2)
}
