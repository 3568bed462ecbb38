// Finds what a person chose in a list by its text: the code, the name, or both.
import type {
  EditorContact,
  EditorFacts,
  EditorItem,
  EditorTaxCode,
} from '../../books/documents/get-editor-facts.ts'

export type Lookup<Noun> = {
  readonly byId: ReadonlyMap<string, Noun>
  // As the list shows it.
  readonly labels: readonly string[]
  labelOf(id: string | null | undefined): string
  find(text: string): Noun | undefined
}

type Account = EditorFacts['accounts'][number]

export type Lookups = {
  readonly contacts: Lookup<EditorContact>
  readonly items: Lookup<EditorItem>
  readonly accounts: Lookup<Account>
  readonly taxCodes: Lookup<EditorTaxCode>
}

const known = new WeakMap<EditorFacts, Lookups>()

// Made once for the facts of a page, since every key press asks.
export function readLookups(facts: EditorFacts): Lookups {
  const earlier = known.get(facts)
  if (earlier) return earlier
  const made = {
    contacts: lookupOf(facts.contacts, ({ name }) => [name]),
    items: lookupOf(facts.items, ({ code, name }) => [`${code} ${name}`, code, name]),
    accounts: lookupOf(facts.accounts, ({ code, name }) => [`${code} ${name}`, code, name]),
    taxCodes: lookupOf(facts.taxCodes, ({ name }) => [name]),
  }
  known.set(facts, made)
  return made
}

// The first text of each is its label. A label that two share gets the end of the id.
function lookupOf<Noun extends { readonly id: string }>(
  nouns: readonly Noun[],
  textsOf: (noun: Noun) => readonly [string, ...string[]],
): Lookup<Noun> {
  const byId = new Map(nouns.map((noun) => [noun.id, noun]))
  const byText = new Map<string, Noun>()
  const labels = new Map<string, string>()
  for (const noun of nouns) {
    const [first] = textsOf(noun)
    const label = byText.has(keyOf(first)) ? `${first} (${noun.id.slice(-6)})` : first
    byText.set(keyOf(label), noun)
    labels.set(noun.id, label)
  }
  for (const noun of nouns) {
    for (const text of textsOf(noun)) if (!byText.has(keyOf(text))) byText.set(keyOf(text), noun)
  }
  return {
    byId,
    labels: [...labels.values()],
    labelOf: (id) => labels.get(id ?? '') ?? '',
    find: (text) => byText.get(keyOf(text)),
  }
}

function keyOf(text: string): string {
  return text.trim().toLowerCase()
}
