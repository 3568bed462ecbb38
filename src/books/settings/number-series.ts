// Document numbers: a pattern such as INV-{YYYY}-{00000}, whose zeros are the minimum number of
// digits. A pattern with a year restarts every year.
import { assert, assertDefined } from '../../kernel/basics/assert.ts'

export const defaultPatterns = {
  invoice: 'INV-{YYYY}-{00000}',
  credit_note: 'CN-{YYYY}-{00000}',
  bill: 'BILL-{YYYY}-{00000}',
  supplier_credit: 'SC-{YYYY}-{00000}',
  expense_claim: 'EXP-{YYYY}-{00000}',
  quote: 'QUO-{YYYY}-{00000}',
} as const

export type NumberedKind = keyof typeof defaultPatterns

export const numberedKinds = Object.keys(defaultPatterns) as [NumberedKind, ...NumberedKind[]]

// The period of the numbers that imported documents brought with them. No year.
export const importedPeriod = 'imported'

const yearField = '{YYYY}'
const counterField = /\{(0+)\}/
const digitsMax = 10

export function numberPeriod(pattern: string, date: string): string {
  return pattern.includes(yearField) ? date.slice(0, 4) : ''
}

export function formatNumber(pattern: string, date: string, position: bigint): string {
  assert(position >= 1n, 'numbers begin with one')
  const zeros = assertDefined(counterField.exec(pattern)?.[1], `a pattern without a counter`)
  return pattern
    .replaceAll(yearField, date.slice(0, 4))
    .replace(counterField, String(position).padStart(zeros.length, '0'))
}

// Why a pattern is invalid, or undefined.
export function patternProblem(pattern: string): string | undefined {
  const counters = pattern.split(new RegExp(counterField, 'g')).length
  if (counters !== 3) return 'A pattern must have one counter: zeros in braces.'
  const { width, text } = partsOf(pattern)
  if (width > digitsMax) return `A counter can have at most ${digitsMax} zeros.`
  if (pattern.split(yearField).length > 2) return 'A pattern can have the year only once.'
  if (!/^[\p{Letter}\p{Number} ./#_-]*$/u.test(text)) {
    return 'Besides {YYYY} and the counter, a pattern can have letters, digits, spaces and . / # _ - only.'
  }
  return undefined
}

// Matches the numbers of a pattern, as a regular expression for the database with the year, if any,
// and the counter as groups.
export function numberExpression(pattern: string) {
  const { width } = partsOf(pattern)
  const marked = pattern.replace(counterField, '{0}')
  const hasYear = pattern.includes(yearField)
  const isYearFirst = hasYear && marked.indexOf(yearField) < marked.indexOf('{0}')
  const expression = marked
    .split(/(\{YYYY\}|\{0\})/)
    .map((part) => {
      if (part === yearField) return '(\\d{4})'
      return part === '{0}' ? '(\\d+)' : part.replaceAll(/[./#_-]/g, '[$&]')
    })
    .join('')
  return {
    expression: `^${expression}$`,
    width,
    yearGroup: hasYear ? (isYearFirst ? 1 : 2) : null,
    counterGroup: isYearFirst ? 2 : 1,
  }
}

// Whether the pattern could assign the number, in any year.
export function isOfPattern(pattern: string, number: string): boolean {
  const { expression, width, counterGroup } = numberExpression(pattern)
  const counter = new RegExp(expression, 'u').exec(number)?.[counterGroup]
  if (counter === undefined) return false
  return counter.length === width || (counter.length > width && !counter.startsWith('0'))
}

function partsOf(pattern: string): { width: number; text: string } {
  const zeros = assertDefined(counterField.exec(pattern)?.[1], 'a pattern without a counter')
  const text = pattern.replaceAll(yearField, '').replace(counterField, '')
  return { width: zeros.length, text }
}
