// The rate with which a document of a day will be booked, as far as the page knows it.
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import type { EditorState } from './editor-state.ts'

// `unknown` means that none was entered, `not here` that only the server can tell.
export type RateOfDay = { readonly rate: string } | 'unknown' | 'not here'

export function rateOfDay(
  { rates, ratesSince, today }: EditorFacts,
  currency: string,
  { date }: Pick<EditorState, 'date'>,
): RateOfDay {
  const day = date.trim() === '' ? today : date
  const known = rates[currency]?.find(([from]) => from <= day)
  if (known) return { rate: known[1] }
  return ratesSince === null ? 'unknown' : 'not here'
}

export function rateText(known: RateOfDay): string {
  return typeof known === 'string' ? '' : known.rate
}
