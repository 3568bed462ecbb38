// What the pickers of the editor offer: what the page knows, and what the server finds. What was
// found is known from then on, so that its defaults apply while one types.
import type { EditorChoices } from '../../books/documents/find-editor-choices.ts'
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import { currencyCodes } from '../../kernel/money/currency.ts'
import { readLookups } from '../editor/lookups.ts'
import type { PickerSource } from './picker.ts'

type Page = { facts: EditorFacts }

export function choicesOf(page: Page, href: string): PickerSource {
  return {
    known(list, text, max) {
      const { contacts, items, accounts, taxCodes } = readLookups(page.facts)
      if (list === 'contacts') return contacts.similar(text, max)
      if (list === 'items') return items.similar(text, max)
      if (list === 'accounts') return accounts.similar(text, max)
      if (list === 'tax-codes') return taxCodes.similar(text, max)
      const key = text.trim().toUpperCase()
      return currencyCodes.filter((code) => code.startsWith(key)).slice(0, max)
    },
    more(list) {
      if (list !== 'contacts' && list !== 'items') return undefined
      if (page.facts.hasAll[list]) return undefined
      return async (text, signal) => {
        const url = `${href}/${list}?${new URLSearchParams({ q: text })}`
        const answer = await fetch(url, { signal, headers: { accept: 'application/json' } })
        if (!answer.ok) return
        page.facts = joined(page.facts, (await answer.json()) as EditorChoices)
      }
    },
  }
}

function joined(facts: EditorFacts, found: EditorChoices): EditorFacts {
  return {
    ...facts,
    contacts: byId([...facts.contacts, ...found.contacts]),
    items: byId([...facts.items, ...found.items]),
  }
}

function byId<Noun extends { readonly id: string }>(nouns: readonly Noun[]): Noun[] {
  return [...new Map(nouns.map((noun) => [noun.id, noun])).values()]
}
