// Draws documents in a thread (kernel/basics/drawing.ts). The bytes depend only on the snapshot, so
// they are cached as long as there is room: a quote that is opened again is not drawn again.
import { extname } from 'node:path'
import {
  createDrawing,
  type Drawing,
  type DrawingOptions,
  type DrawOptions,
} from '../../../kernel/basics/drawing.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import { findLogoContent } from '../../../kernel/brand/brand-store.ts'
import type { Context } from '../../../kernel/db/context.ts'
import type { DocumentSnapshot } from '../document-snapshot.ts'

export type DocumentDrawingRequest = {
  readonly snapshot: DocumentSnapshot
  readonly isVoid: boolean
  // The logo that the snapshot names.
  readonly logo?: Uint8Array | undefined
}

export type DocumentDrawing = Drawing<DocumentDrawingRequest>

export function createDocumentDrawing(
  options: Pick<DrawingOptions, 'log'> & Partial<DrawingOptions>,
): DocumentDrawing {
  return createDrawing({ subject: 'documents', entry: ownEntry(), ...options })
}

type DrawPdfOptions = { readonly isVoid?: boolean } & Pick<DrawOptions, 'signal'>

// Without a thread, it is drawn at once: a command has no other requests to serve. The drawing code
// is loaded only now, because its font tables are a third of what a command would load.
export async function drawPdf(
  {
    drawing,
    database,
  }: Pick<Context, 'database'> & { readonly drawing?: DocumentDrawing | undefined },
  { businessId: owner }: Tenant,
  snapshot: DocumentSnapshot,
  { isVoid = false, signal }: DrawPdfOptions = {},
): Promise<Uint8Array> {
  const { sha256 } = snapshot.brand?.logo ?? {}
  const logo = sha256 === undefined ? undefined : await findLogoContent(database.sql, owner, sha256)
  const request = { snapshot, isVoid, logo: logo?.content }
  if (drawing) return drawing.draw(request, { owner, signal })
  const { renderDocumentPdf } = await import('./document-pdf.ts')
  return renderDocumentPdf(snapshot, isVoid, logo?.content)
}

// The built thread beside the built code, the source beside the source.
function ownEntry(): URL {
  return new URL(`./drawing-thread${extname(import.meta.url)}`, import.meta.url)
}
