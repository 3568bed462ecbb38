// What the empty fields of the head take over, and from where. Pure; also for the browser.

import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import { addDays } from '../../kernel/basics/calendar.ts'
import { formatDay } from '../components/day.tsx'
import type { EditorState } from './editor-state.ts'
import { readLookups } from './lookups.ts'

export type HeadDefaults = {
  // The currency that an empty field means.
  readonly currency: string
  // By the field; empty if the person typed something.
  readonly origins: { readonly until: string; readonly currency: string }
}

export function headDefaults(state: EditorState, facts: EditorFacts): HeadDefaults {
  const contact = readLookups(facts).contacts.find(state.contact)
  const date = state.date || facts.today
  const until =
    contact && state.until === '' && isDay(date)
      ? `${formatDay(addDays(date, contact.paymentTermsDays))}, from the contact`
      : ''
  const currencyOrigin = contact?.currency ? 'from the contact' : 'from settings'
  return {
    currency: contact?.currency ?? facts.baseCurrency,
    origins: { until, currency: state.currency.trim() === '' ? currencyOrigin : '' },
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text))
}
