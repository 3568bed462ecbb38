// The list as a form: rows are chosen with boxes, and the bar below leads to what can be done with
// them. It appears when something is chosen, and counts it, by CSS alone.
import type { ComponentChildren } from 'preact'
import type { BatchAct } from '../../books/batches/batch.ts'
import { createBatch } from '../../books/batches/create-batch.ts'
import { drawnDocumentsMax } from '../../books/downloads/draw-documents.ts'
import { exportedDocumentsMax } from '../../books/downloads/export-documents.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import type { DocumentPlace, FoundPaper, PaperSum } from '../documents/document-place.ts'
import { DocumentTable } from '../documents/document-table.tsx'
import type { Query, Visit } from '../shell/visit.ts'
import { actsOfSide, bulkLooks } from './bulk-acts.ts'
import { downloadSlugs } from './bulk-downloads.ts'
import { allField } from './chosen-documents.ts'

type ListProps = {
  visit: Visit
  place: DocumentPlace
  query: Query
  sums: readonly PaperSum[]
  papers: readonly FoundPaper[]
}

// The table of a list, with the bar: everyone can download several documents.
export async function withBulk({ visit, place, query, sums, papers }: ListProps) {
  const { side } = place
  const { approvalsOn } = await visit.run(getOrganisation, {})
  const acts = side && visit.may(createBatch) ? actsOfSide(side, approvalsOn) : []
  const count = sums.reduce((sum, one) => sum + one.count, 0)
  const allCount = count > papers.length ? count : undefined
  return (
    <BulkForm {...{ visit, place, acts, query, allCount }}>
      <DocumentTable visit={visit} place={place} papers={papers} isChosen />
    </BulkForm>
  )
}

type DownloadProps = { address(slug: string): string; allCount: number | undefined }

type BarProps = {
  visit: Visit
  place: DocumentPlace
  // What this person can do to several documents.
  acts: readonly BatchAct[]
  // The filters of the list.
  query: Query
  // All that match, if they are more than the page shows.
  allCount: number | undefined
  children: ComponentChildren
}

function BulkForm({ visit, place, acts, query, allCount, children }: BarProps) {
  const address = (slug: string) => visit.href(`${place.path}/${slug}`)
  const filters = Object.entries(query).filter(([, value]) => value !== undefined)
  return (
    <form class="bulk" method="get">
      {filters.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <fieldset class="bulk-bar">
        <legend class="visually-hidden">What to do with the chosen documents</legend>
        <span class="bulk-count">chosen</span>
        {allCount !== undefined && (
          <label class="form-check mb-0">
            <input class="form-check-input" type="checkbox" name={allField} value="yes" />
            <span class="form-check-label">All {allCount} that match</span>
          </label>
        )}
        {acts.map((act) => (
          <button
            key={act}
            class="btn"
            type="submit"
            formAction={address(`bulk/${bulkLooks[act].slug}`)}
          >
            {bulkLooks[act].label}…
          </button>
        ))}
        <Downloads address={address} allCount={allCount} />
      </fieldset>
    </form>
  )
}

// One PDF has fewer documents than a ZIP. If more match, it is not offered for all of them.
function Downloads({ address, allCount = 0 }: DownloadProps) {
  const isTooMany = allCount > drawnDocumentsMax
  return (
    <div class={isTooMany ? 'bulk-downloads few-only' : 'bulk-downloads'}>
      <Download action={address(downloadSlugs.pdf)} label="Download PDF" />
      <Download action={address(downloadSlugs.zip)} label="Download ZIP" />
      {isTooMany && (
        <span class="quiet">
          A PDF has up to {drawnDocumentsMax} documents, a ZIP up to {exportedDocumentsMax}.
        </span>
      )}
    </div>
  )
}

function Download({ action, label }: { action: string; label: string }) {
  return (
    <button class="btn" type="submit" formAction={action} data-turbo="false">
      {label}
    </button>
  )
}
