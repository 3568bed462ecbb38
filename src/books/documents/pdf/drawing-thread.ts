// The thread that draws documents and reports (drawing.ts).
import { drawInThread } from '../../../kernel/basics/draw-in-thread.ts'
import { renderDocumentPdf } from './document-pdf.ts'
import type { DocumentDrawingRequest } from './drawing.ts'
import { renderReportPdf } from './report-pdf.ts'

drawInThread<DocumentDrawingRequest>((request) =>
  'report' in request
    ? renderReportPdf(request.report, request.logo)
    : renderDocumentPdf(request.snapshot, request.isVoid, request.logo),
)
