// The PDF of an invoice or credit note. An issued document has one permanent file
// (draw-document.ts). Drafts and void documents are drawn on request and marked as such; the file
// of a void document as issued is still available.
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
import { drawPdf } from './pdf/drawing.ts'

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
  if (!isSale(document.kind)) {
    throw new Fault('conflict', 'Only invoices and credit notes have a PDF.')
  }
  const { number, kind } = document
  if (number === null) {
    if (asIssued) throw new Fault('conflict', 'It was not issued.')
    const content = await drawPdf(context, actor, await unfrozen(context, actor, document))
    return { filename: `${kind.replace('_', '-')}-draft.pdf`, content }
  }
  const content =
    document.voidedAt && !asIssued
      ? await drawPdf(context, actor, await requireSnapshot(context, actor, id), { isVoid: true })
      : await storeDocumentFile(context, actor, id)
  return { filename: fileName(number), content }
}

async function unfrozen(context: BooksContext, actor: Actor, document: Document) {
  const { sql } = context.database
  const facts = await gatherFacts(sql, actor, document)
  return freezeDocument(context, actor, await findOrganisation(sql, actor), facts, document)
}
