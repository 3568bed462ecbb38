// Draws documents and reports in a thread (kernel/basics/drawing.ts). The bytes depend only on the
// snapshot, so they are cached as long as there is room: a quote that is opened again is not drawn
// again.
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
import type { DocumentSnapshot, SnapshotBrand } from '../document-snapshot.ts'
import type { PrintedReport } from './printed-report.ts'

export type ToDraw = { readonly snapshot: DocumentSnapshot; readonly isVoid: boolean }

// The logo that the snapshot or report names.
type WithLogo = { readonly logo?: Uint8Array | undefined }

export type DocumentDrawingRequest =
  | (ToDraw & WithLogo)
  | ({ readonly report: PrintedReport } & WithLogo)
  | { readonly documents: readonly [ToDraw & WithLogo, ...(ToDraw & WithLogo)[]] }

export type DocumentDrawing = Drawing<DocumentDrawingRequest>

export function createDocumentDrawing(
  options: Pick<DrawingOptions, 'log'> & Partial<DrawingOptions>,
): DocumentDrawing {
  return createDrawing({ subject: 'documents', entry: ownEntry(), ...options })
}

type DrawPdfOptions = { readonly isVoid?: boolean } & Pick<DrawOptions, 'signal'>

type DrawingContext = Pick<Context, 'database'> & {
  readonly drawing?: DocumentDrawing | undefined
}

export async function drawPdf(
  context: DrawingContext,
  { businessId: owner }: Tenant,
  snapshot: DocumentSnapshot,
  { isVoid = false, signal }: DrawPdfOptions = {},
): Promise<Uint8Array> {
  const logo = await logoOf(context, owner, snapshot.brand)
  return draw(context, { snapshot, isVoid, logo }, { owner, signal })
}

// Several documents in one file.
export async function drawPdfs(
  context: DrawingContext,
  { businessId: owner }: Tenant,
  [first, ...others]: readonly [ToDraw, ...ToDraw[]],
): Promise<Uint8Array> {
  const logos = new Map<string, Uint8Array | undefined>()
  const withLogo = async (one: ToDraw) => {
    const { brand } = one.snapshot
    const key = brand?.logo?.sha256 ?? ''
    if (!logos.has(key)) logos.set(key, await logoOf(context, owner, brand))
    return { ...one, logo: logos.get(key) }
  }
  const documents: [ToDraw & WithLogo, ...(ToDraw & WithLogo)[]] = [await withLogo(first)]
  for (const one of others) documents.push(await withLogo(one))
  return draw(context, { documents }, { owner })
}

export async function drawReportPdf(
  context: DrawingContext,
  { businessId: owner }: Tenant,
  report: PrintedReport,
  { signal }: Pick<DrawOptions, 'signal'> = {},
): Promise<Uint8Array> {
  const logo = await logoOf(context, owner, report.brand)
  return draw(context, { report, logo }, { owner, signal })
}

// Without a thread, it is drawn at once: a command has no other requests to serve. The drawing code
// is loaded only now, because its font tables are a third of what a command would load.
async function draw(
  { drawing }: DrawingContext,
  request: DocumentDrawingRequest,
  options: DrawOptions,
): Promise<Uint8Array> {
  if (drawing) return drawing.draw(request, options)
  const { renderPdf } = await import('./render-pdf.ts')
  return renderPdf(request)
}

async function logoOf(
  { database }: DrawingContext,
  businessId: string,
  brand: SnapshotBrand | undefined,
): Promise<Uint8Array | undefined> {
  if (!brand?.logo) return undefined
  return (await findLogoContent(database.sql, businessId, brand.logo.sha256))?.content
}

// The built thread beside the built code, the source beside the source.
function ownEntry(): URL {
  return new URL(`./drawing-thread${extname(import.meta.url)}`, import.meta.url)
}
