// From the texts of the editor to the input of the operations, and back to the fields that have a
// problem.
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import { typedNumber } from '../../books/documents/typed-price.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { toText } from '../../kernel/money/decimal.ts'
import {
  blankLine,
  currencyOfState,
  type EditorState,
  isBlank,
  type LineField,
  type LineState,
  lineFields,
  lineName,
  withItem,
} from './editor-state.ts'
import { type Lookup, readLookups } from './lookups.ts'

// Blank lines are left out, and items fill in what they bring.
export function completeState(state: EditorState, facts: EditorFacts): EditorState {
  const currency = currencyOfState(state, facts, readLookups(facts))
  const lines = state.lines.filter((line) => !isBlank(line))
  return { ...state, lines: lines.map((line) => withItem(line, facts, currency)) }
}

// Throws a Fault that names the fields whose text is in no list.
export function inputOf(state: EditorState, facts: EditorFacts) {
  const lookups = readLookups(facts)
  const fieldErrors: Record<string, string[]> = {}
  const refuse = (field: string, message: string) => {
    fieldErrors[field] = [...(fieldErrors[field] ?? []), message]
  }
  const contact = lookups.contacts.find(state.contact)
  if (!contact) {
    const isEmpty = state.contact.trim() === ''
    refuse(
      'contact',
      isEmpty
        ? 'Choose a contact.'
        : `No such contact. ${similarText(lookups.contacts, state.contact)}`,
    )
  }
  const chosen = <Noun extends { readonly id: string }>(
    lookup: Lookup<Noun>,
    text: string,
    index: number,
    field: LineField,
  ) => {
    if (text.trim() === '') return undefined
    const found = lookup.find(text)
    if (!found) {
      const more = similarText(lookup, text)
      refuse('lines', `${index}.${field}: “${text}” is not in the list. ${more}`)
    }
    return found?.id
  }
  const lines = state.lines.map((line, index) => {
    const itemId = chosen(lookups.items, line.item, index, 'item')
    const accountId = chosen(lookups.accounts, line.account, index, 'account')
    const taxCodeId = chosen(lookups.taxCodes, line.taxCode, index, 'taxCode')
    return {
      description: line.description,
      unitPrice: plainNumber(line.unitPrice),
      ...(line.quantity.trim() !== '' && { quantity: plainNumber(line.quantity) }),
      ...(line.discountPct.trim() !== '' && { discountPct: plainNumber(line.discountPct) }),
      ...(itemId && { itemId }),
      ...(accountId && { accountId }),
      ...(taxCodeId && { taxCodeId }),
    }
  })
  if (Object.keys(fieldErrors).length > 0) {
    throw new Fault('invalid_request', { formErrors: [], fieldErrors })
  }
  const filled = (text: string) => text.trim() !== ''
  return {
    contactId: contact?.id ?? '',
    lines,
    ...(filled(state.date) && { date: state.date }),
    ...(filled(state.reference) && { reference: state.reference }),
    ...(filled(state.notes) && { notes: state.notes }),
    ...(filled(state.currency) && { currency: state.currency.trim().toUpperCase() }),
  }
}

const similarMax = 5

function similarText(lookup: Lookup<unknown>, text: string): string {
  const [first, ...others] = lookup.similar(text, similarMax)
  if (!first) return 'Choose one of the list.'
  return others.length === 0
    ? `Did you mean ${first}?`
    : `Choose one: ${[first, ...others].join('; ')}.`
}

// Only what a person typed. Otherwise the rate of the day is looked up when the document is booked.
export function statedRate(state: EditorState, { baseCurrency }: EditorFacts) {
  const typed = state.fxRate.trim()
  const currency = state.currency.trim().toUpperCase()
  if (typed === '' || currency === baseCurrency) return {}
  return { fxRate: plainNumber(typed) }
}

// Text that is no number goes on as it is, and the operation says what is wrong.
function plainNumber(text: string): string {
  const value = typedNumber(text)
  return value ? toText(value) : text.trim()
}

const formNames: Readonly<Record<string, string>> = {
  contactId: 'contact',
  dueDate: 'until',
  expiryDate: 'until',
  itemId: 'item',
  accountId: 'account',
  taxCodeId: 'taxCode',
}

// The problems by the fields of the form: `lines: 0.accountId: No such account.` belongs to
// `line-0-account`.
export function problemsByField(
  problems: Readonly<Record<string, string>>,
): Record<string, string> {
  const byField: Record<string, string> = {}
  for (const [name, text] of Object.entries(problems)) {
    if (name !== 'lines') {
      byField[formNames[name] ?? name] = text
      continue
    }
    const parts = [...text.matchAll(/(\d+)(?:\.(\w+))?: (.*?)(?= \d+(?:\.\w+)?: |$)/gs)]
    if (parts.length === 0) byField[lineName(0, 'description')] = text
    for (const [, index = '0', field = 'description', message = ''] of parts) {
      const known = lineFields.find((one) => one === (formNames[field] ?? field))
      const id = lineName(index, known ?? 'description')
      byField[id] = `Line ${Number.parseInt(index, 10) + 1}: ${message}`
    }
  }
  return byField
}

// The buttons of the form without JavaScript: `add`, or `remove-2`, `up-2`, `down-2`.
export function applyStep(state: EditorState, step: string): EditorState {
  const [, act = '', at = ''] = /^(remove|up|down)-(\d{1,3})$/.exec(step) ?? []
  const index = Number.parseInt(at, 10)
  const lines: LineState[] = [...state.lines]
  if (step === 'add') lines.push(blankLine)
  if (act === 'remove') lines.splice(index, 1)
  if (act === 'up' && index > 0) swap(lines, index - 1, index)
  if (act === 'down' && index < lines.length - 1) swap(lines, index, index + 1)
  return { ...state, lines }
}

function swap(lines: LineState[], first: number, second: number): void {
  const [one, other] = [lines[first], lines[second]]
  if (!one || !other) return
  lines[first] = other
  lines[second] = one
}
