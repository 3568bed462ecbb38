// The thread that draws documents (drawing.ts).
import { drawInThread } from '../../../kernel/basics/draw-in-thread.ts'
import { renderDocumentPdf } from './document-pdf.ts'
import type { DocumentDrawingRequest } from './drawing.ts'

drawInThread<DocumentDrawingRequest>(({ snapshot, isVoid, logo }) =>
  renderDocumentPdf(snapshot, isVoid, logo),
)
