// Numbers of documents: a pattern such as INV-{YYYY}-{00000}, whose zeros say how many digits there
// are at least. A pattern with a year counts anew in every year.
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

const yearField = '{YYYY}'
const counterField = /\{(0+)\}/

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
