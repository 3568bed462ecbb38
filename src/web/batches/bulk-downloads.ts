// The chosen documents of a list as one PDF, or as a ZIP with one PDF for each.
import { drawDocuments } from '../../books/downloads/draw-documents.ts'
import { exportDocuments } from '../../books/downloads/export-documents.ts'
import { redirectTo } from '../../kernel/web/page.ts'
import { type DocumentPlace, documentPlaces } from '../documents/document-place.ts'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { chosenIds } from './chosen-documents.ts'

export const downloadSlugs = { pdf: 'bulk/download.pdf', zip: 'bulk/download.zip' } as const

export const bulkDownloads: AppRoute[] = documentPlaces.flatMap((place) => [
  ...definePage({
    path: `${place.path}/${downloadSlugs.pdf}`,
    operation: drawDocuments,
    async show(visit) {
      const chosen = await readChosen(visit, place)
      if (chosen.ids.length === 0) return redirectTo(visit.href(place.path))
      const { content } = await visit.run(drawDocuments, chosen)
      return { status: 200, headers: fileHeaders(place, 'pdf'), body: content }
    },
  }),
  ...definePage({
    path: `${place.path}/${downloadSlugs.zip}`,
    operation: exportDocuments,
    async show(visit) {
      const chosen = await readChosen(visit, place)
      if (chosen.ids.length === 0) return redirectTo(visit.href(place.path))
      const pieces = await visit.run(exportDocuments, chosen)
      return { status: 200, headers: fileHeaders(place, 'zip'), pieces }
    },
  }),
])

async function readChosen(visit: Visit, place: DocumentPlace) {
  const kind = place.side ? ('document' as const) : ('quote' as const)
  return { kind, ids: await chosenIds(visit, place, visit.query) }
}

function fileHeaders({ title }: DocumentPlace, type: 'pdf' | 'zip'): Record<string, string> {
  return {
    'content-type': `application/${type}`,
    'content-disposition': `attachment; filename="${title.toLowerCase()}.${type}"`,
  }
}
