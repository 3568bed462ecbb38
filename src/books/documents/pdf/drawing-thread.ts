// The thread that draws documents and reports (drawing.ts).
import { drawInThread } from '../../../kernel/basics/draw-in-thread.ts'
import type { DocumentDrawingRequest } from './drawing.ts'
import { renderPdf } from './render-pdf.ts'

drawInThread<DocumentDrawingRequest>(renderPdf)
