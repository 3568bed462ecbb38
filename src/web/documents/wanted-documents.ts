// The filters of a list, as they are in its address.
import type { Query } from '../shell/visit.ts'
import type { DocumentPlace, Wanted } from './document-place.ts'

export type Filters = Omit<Wanted, 'limit'>

export function wantedOf({ views, kinds }: DocumentPlace, values: URLSearchParams): Filters {
  const asked = (name: string) => values.get(name)?.trim() || undefined
  const view = asked('view')
  return {
    view: view !== undefined && view in views ? view : undefined,
    kind: kinds.find((kind) => kind === asked('kind')),
    text: asked('q'),
    contactId: asked('contact'),
    from: asked('from'),
    to: asked('to'),
  }
}

export function queryOf({ view, kind, text, contactId, from, to }: Filters): Query {
  return { view, kind, q: text, contact: contactId, from, to }
}
