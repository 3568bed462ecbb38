// The list as a form: rows are chosen with boxes, and the bar below leads to what can be done with
// them. It appears when something is chosen, by CSS alone.
import type { ComponentChildren } from 'preact'
import { createBatch } from '../../books/batches/create-batch.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import {
  type DocumentPlace,
  type FoundPaper,
  type PaperSum,
  sidePaths,
} from '../documents/document-place.ts'
import { DocumentTable } from '../documents/document-table.tsx'
import type { Query, Visit } from '../shell/visit.ts'
import { actsOfSide, bulkLooks } from './bulk-acts.ts'
import { allField } from './chosen-documents.ts'

type ListProps = {
  visit: Visit
  place: DocumentPlace
  query: Query
  sums: readonly PaperSum[]
  papers: readonly FoundPaper[]
}

// The table of a list, with the bar if this person can do something to several documents.
export async function withBulk({ visit, place, query, sums, papers }: ListProps) {
  const { side } = place
  const isChosen = side !== undefined && visit.may(createBatch)
  const table = <DocumentTable visit={visit} place={place} papers={papers} isChosen={isChosen} />
  if (!isChosen) return table
  const { approvalsOn } = await visit.run(getOrganisation, {})
  const count = sums.reduce((sum, one) => sum + one.count, 0)
  const allCount = count > papers.length ? count : undefined
  return <BulkForm {...{ visit, side, approvalsOn, query, allCount }}>{table}</BulkForm>
}

type BarProps = {
  visit: Visit
  side: DocumentSide
  approvalsOn: boolean
  // The filters of the list.
  query: Query
  // All that match, if they are more than the page shows.
  allCount: number | undefined
  children: ComponentChildren
}

function BulkForm({ visit, side, approvalsOn, query, allCount, children }: BarProps) {
  const address = (slug: string) => visit.href(`${sidePaths[side]}/bulk/${slug}`)
  const acts = actsOfSide(side, approvalsOn)
  const filters = Object.entries(query).filter(([, value]) => value !== undefined)
  return (
    <form class="bulk" method="get">
      {filters.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <fieldset class="bulk-bar">
        <legend class="visually-hidden">What to do with the chosen documents</legend>
        {allCount !== undefined && (
          <label class="form-check mb-0">
            <input class="form-check-input" type="checkbox" name={allField} value="yes" />
            <span class="form-check-label">All {allCount} that match</span>
          </label>
        )}
        {acts.map((act) => (
          <button key={act} class="btn" type="submit" formAction={address(bulkLooks[act].slug)}>
            {bulkLooks[act].label}…
          </button>
        ))}
      </fieldset>
    </form>
  )
}
