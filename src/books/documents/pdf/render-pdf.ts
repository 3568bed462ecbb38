// One way into the drawing code, for the thread and for commands: two would make the code that they
// share a part of what every process loads.
import { renderDocumentPdf } from './document-pdf.ts'
import type { DocumentDrawingRequest } from './drawing.ts'
import { renderReportPdf } from './report-pdf.ts'

export function renderPdf(request: DocumentDrawingRequest): Promise<Uint8Array> {
  return 'report' in request
    ? renderReportPdf(request.report, request.logo)
    : renderDocumentPdf(request.snapshot, request.isVoid, request.logo)
}
