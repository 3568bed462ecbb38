// One way into the drawing code, for the thread and for commands: two would make the code that they
// share a part of what every process loads.
import { renderDocumentPdf, renderDocumentsPdf } from './document-pdf.ts'
import type { DocumentDrawingRequest } from './drawing.ts'
import { renderReportPdf } from './report-pdf.ts'

export function renderPdf(request: DocumentDrawingRequest): Promise<Uint8Array> {
  if ('report' in request) return renderReportPdf(request.report, request.logo)
  if ('documents' in request) return renderDocumentsPdf(request.documents)
  return renderDocumentPdf(request.snapshot, request.isVoid, request.logo)
}
