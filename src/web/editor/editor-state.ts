// What is in the editor of a document: texts, as the person typed them. Pure; the server and the
// browser read the same fields and compute the same.
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import { type LineDefault, lineDefault } from '../../books/documents/line-defaults.ts'
import { priceTyped, type TypedPrice } from '../../books/documents/typed-price.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { type Lookups, readLookups } from './lookups.ts'

export const lineFields = [
  'item',
  'description',
  'quantity',
  'unitPrice',
  'discountPct',
  'account',
  'taxCode',
] as const
export type LineField = (typeof lineFields)[number]
export type LineState = Readonly<Record<LineField, string>>

export type HeadField = 'contact' | 'date' | 'until' | 'reference' | 'currency' | 'fxRate' | 'notes'

export type EditorState = Readonly<Record<HeadField, string>> & {
  readonly lines: readonly LineState[]
}

export const blankLine: LineState = {
  item: '',
  description: '',
  quantity: '',
  unitPrice: '',
  discountPct: '',
  account: '',
  taxCode: '',
}

export function lineName(index: number | string, field: LineField): string {
  return `line-${index}-${field}`
}

type Fields = { get(name: string): unknown; has(name: string): boolean }

export function readState(form: Fields): EditorState {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const lines: LineState[] = []
  for (let index = 0; form.has(lineName(index, 'description')); index += 1) {
    lines.push({
      item: text(lineName(index, 'item')),
      description: text(lineName(index, 'description')),
      quantity: text(lineName(index, 'quantity')),
      unitPrice: text(lineName(index, 'unitPrice')),
      discountPct: text(lineName(index, 'discountPct')),
      account: text(lineName(index, 'account')),
      taxCode: text(lineName(index, 'taxCode')),
    })
  }
  return {
    contact: text('contact'),
    date: text('date'),
    until: text('until'),
    reference: text('reference'),
    currency: text('currency'),
    fxRate: text('fxRate'),
    notes: text('notes'),
    lines,
  }
}

export function isBlank(line: LineState): boolean {
  return lineFields.every((field) => line[field].trim() === '')
}

// An item brings its description and, in the base currency, its price.
export function withItem(line: LineState, facts: EditorFacts, currency: string): LineState {
  const item = readLookups(facts).items.find(line.item)
  if (!item) return line
  const price = currency === facts.baseCurrency ? (item.unitPrice ?? '') : ''
  return {
    ...line,
    description:
      line.description.trim() === '' ? (item.description ?? item.name) : line.description,
    unitPrice: line.unitPrice.trim() === '' ? price : line.unitPrice,
  }
}

export type ReadLine = {
  readonly account: LineDefault | undefined
  readonly tax: LineDefault | undefined
}

export type ReadState = {
  readonly currency: string
  readonly lines: readonly ReadLine[]
  readonly price: TypedPrice
}

export function currencyOfState(state: EditorState, facts: EditorFacts, lookups: Lookups): string {
  const typed = state.currency.trim().toUpperCase()
  if (isCurrency(typed)) return typed
  return lookups.contacts.find(state.contact)?.currency ?? facts.baseCurrency
}

// What a line takes over where it is empty, and what all of it comes to.
export function computeState(state: EditorState, facts: EditorFacts): ReadState {
  const lookups = readLookups(facts)
  const currency = currencyOfState(state, facts, lookups)
  const contact = lookups.contacts.find(state.contact)
  const defaults = state.lines.map((line): ReadLine => {
    const item = lookups.items.find(line.item)
    const inTurn = (field: 'accountId' | 'taxCodeId') => ({
      item: item?.[field],
      contact: contact?.[field],
      organisation: facts.organisation[field],
    })
    return {
      account: lineDefault(inTurn('accountId'), (id) => lookups.accounts.byId.has(id)),
      tax: lineDefault(inTurn('taxCodeId'), (id) => lookups.taxCodes.byId.has(id)),
    }
  })
  const price = priceTyped(
    currency,
    facts.taxRounding,
    state.lines.map((line, index) => {
      const stated = lookups.taxCodes.find(line.taxCode)
      const usual = lookups.taxCodes.byId.get(defaults[index]?.tax?.id ?? '')
      return { ...line, taxCode: (line.taxCode.trim() === '' ? usual : stated) ?? null }
    }),
  )
  return { currency, lines: defaults, price }
}
