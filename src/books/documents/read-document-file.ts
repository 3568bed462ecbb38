// The PDF of a document. An issued invoice or credit note has one permanent file
// (draw-document.ts). Drafts, void documents and purchases are drawn on request; the file of a void
// invoice as issued is still available.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { BooksContext } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { Document } from './document.ts'
import { fileName } from './document-snapshot.ts'
import { isSale } from './document-status.ts'
import { findDocument } from './document-store.ts'
import { requireSnapshot, storeDocumentFile } from './draw-document.ts'
import { freezeDocument, gatherFacts } from './gather-facts.ts'
import { drawPdf, type ToDraw } from './pdf/drawing.ts'

export type DocumentFile = {
  readonly filename: string
  readonly content: Uint8Array
}

export async function readDocumentFile(
  context: BooksContext,
  actor: Actor,
  // `asIssued`: the file as issued, even of a void document.
  { id, asIssued }: { readonly id: string; readonly asIssued: boolean },
): Promise<DocumentFile> {
  const document = await findDocument(context.database.sql, actor, id)
  if (!document) throw notFound('document')
  const { number, kind } = document
  const isIssued = number !== null && isSale(kind)
  if (asIssued && !isIssued) throw new Fault('conflict', 'It was not issued.')
  const filename = number === null ? `${kind.replace('_', '-')}-draft.pdf` : fileName(number)
  if (isIssued && (asIssued || !document.voidedAt)) {
    return { filename, content: await storeDocumentFile(context, actor, id) }
  }
  const { snapshot, isVoid } = await printedDocument(context, actor, document)
  return { filename, content: await drawPdf(context, actor, snapshot, { isVoid }) }
}

// What is printed of a document as it is now. The paper that counts for a purchase is the
// supplier's, so a PDF of it only shows what was entered, and is never stored.
export async function printedDocument(
  context: BooksContext,
  actor: Actor,
  document: Document,
): Promise<ToDraw> {
  const isVoid = document.voidedAt !== null
  if (document.number !== null && isSale(document.kind)) {
    return { snapshot: await requireSnapshot(context, actor, document.id), isVoid }
  }
  const { sql } = context.database
  const facts = await gatherFacts(sql, actor, document)
  const organisation = await findOrganisation(sql, actor)
  return { snapshot: freezeDocument(context, actor, organisation, facts, document), isVoid }
}
