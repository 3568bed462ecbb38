// What a person does in an empty list of documents.
import { startImport } from '../../books/imports/start-import.ts'
import type { Visit } from '../shell/visit.ts'
import { type DocumentPlace, paperNames } from './document-place.ts'

type Props = { visit: Visit; place: DocumentPlace }

export function FirstDocument({ visit, place: { path, kinds, creates, side } }: Props) {
  const [usual] = kinds
  if (!visit.may(creates) || usual === undefined) return null
  return (
    <p class="mb-0">
      <a href={visit.href(`${path}/new`)}>Create the first {paperNames[usual].toLowerCase()}</a>
      {side && visit.may(startImport) && (
        <>
          , or <a href={visit.href(`/settings/imports/new${path}`)}>import those you have</a>
        </>
      )}
    </p>
  )
}
