// Draws QR codes in a thread: a PNG takes about 30 milliseconds, in which the server could not
// answer anything else.
import { extname } from 'node:path'
import { createDrawing, type Drawing, type DrawingOptions } from '../../kernel/basics/drawing.ts'

export type QrDrawingRequest = { readonly url: string; readonly format: 'png' | 'svg' }

export type QrDrawing = Drawing<QrDrawingRequest>

export function createQrDrawing({ log }: Pick<DrawingOptions, 'log'>): QrDrawing {
  return createDrawing({ log, subject: 'QR codes', entry: ownEntry(), ...waiting })
}

// A page may show the codes of a whole shop, and a code is drawn faster than a document.
const waiting = { waitingMaxPerOwner: 100, waitingMax: 400 }

// The built thread beside the built code, the source beside the source.
function ownEntry(): URL {
  return new URL(`./qr-drawing-thread${extname(import.meta.url)}`, import.meta.url)
}
