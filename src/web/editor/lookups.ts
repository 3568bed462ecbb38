// Finds what a person chose in a list by its text: the code, the name, or both.
import type {
  EditorContact,
  EditorItem,
  EditorTaxCode,
} from '../../books/documents/editor-choice.ts'
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'

export type Lookup<Noun> = {
  readonly byId: ReadonlyMap<string, Noun>
  // As the list shows it.
  readonly labels: readonly string[]
  labelOf(id: string | null | undefined): string
  find(text: string): Noun | undefined
  // Labels that contain the text; those whose label or word begins with it come first.
  similar(text: string, max: number): string[]
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
    // A name that two contacts share names neither.
    contacts: lookupOf(facts.contacts, ({ id, name, isShared }) => [
      isShared ? `${name} (${id.slice(-6)})` : name,
    ]),
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
    similar: (text, max) => similarTo([...labels.values()], keyOf(text), max),
  }
}

function similarTo(labels: readonly string[], key: string, max: number): string[] {
  const placed = labels.flatMap((label) => {
    const at = label.toLowerCase().indexOf(key)
    if (at < 0) return []
    if (at === 0) return [{ label, place: label.length === key.length ? 0 : 1 }]
    return [{ label, place: label[at - 1] === ' ' ? 2 : 3 }]
  })
  const sorted = placed.toSorted((one, other) => one.place - other.place)
  return sorted.slice(0, max).map(({ label }) => label)
}

function keyOf(text: string): string {
  return text.trim().toLowerCase()
}
