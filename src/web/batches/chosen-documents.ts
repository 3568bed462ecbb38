// The documents that a person has chosen in a list: ticked ones, or all that match its filters. A
// form then carries them with the versions that the person saw.
import { batchDocumentsMax } from '../../books/batches/batch.ts'
import { invalid } from '../../kernel/basics/fault.ts'
import type { DocumentPlace } from '../documents/document-place.ts'
import { wantedOf } from '../documents/wanted-documents.ts'
import type { Visit } from '../shell/visit.ts'

// Names of fields.
export const choiceField = 'document'
export const allField = 'all'
export const seenField = 'seen'

type Seen = { readonly id: string; readonly version: number }

export function writeSeen(documents: readonly Seen[]): string {
  return documents.map(({ id, version }) => `${id}:${version}`).join(' ')
}

export function readSeen(values: URLSearchParams): Seen[] {
  const parts = (values.get(seenField) ?? '').split(' ').filter((part) => part !== '')
  return parts.map((part) => {
    const [id = '', version = ''] = part.split(':')
    return { id, version: Number.parseInt(version, 10) }
  })
}

export async function chosenIds(
  visit: Visit,
  place: DocumentPlace,
  values: URLSearchParams,
): Promise<string[]> {
  if (values.has(seenField)) return readSeen(values).map(({ id }) => id)
  if (!values.has(allField)) return [...new Set(values.getAll(choiceField))]
  const { papers } = await place.search(visit, {
    ...wantedOf(place, values),
    limit: batchDocumentsMax + 1,
    isSummed: false,
  })
  if (papers.length > batchDocumentsMax) {
    throw invalid(`More than ${batchDocumentsMax} documents match. Narrow the filters.`)
  }
  return papers.map(({ id }) => id)
}
