// The PDF of an invoice or credit note. What was issued is drawn from its frozen snapshot when it
// is asked for first, and kept: from then on it is the same file. Nobody who issues waits for it. A
// draft and what is void are drawn anew each time, and say what they are.
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { BooksContext } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { Document } from './document.ts'
import { findDocumentFile, insertDocumentFile } from './document-file-store.ts'
import { fileName } from './document-snapshot.ts'
import { isSale } from './document-status.ts'
import { findDocument, findSnapshot } from './document-store.ts'
import { freezeDocument, gatherFacts } from './gather-facts.ts'
import { renderDocumentPdf } from './pdf/document-pdf.ts'

export type DocumentFile = {
  readonly filename: string
  readonly content: Uint8Array
}

export async function getDocumentFile(
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<DocumentFile> {
  const { sql } = context.database
  const document = await findDocument(sql, actor, id)
  if (!document) throw notFound('document')
  if (!isSale(document.kind)) {
    throw new Fault('conflict', 'Only invoices and credit notes are printed.')
  }
  const { number, kind } = document
  if (number === null) {
    const content = await renderDocumentPdf(await unfrozen(context, actor, document))
    return { filename: `${kind.replace('_', '-')}-draft.pdf`, content }
  }
  const content = document.voidedAt
    ? await renderDocumentPdf(await frozen(context, actor, id), true)
    : await keptFile(context, actor, id)
  return { filename: fileName(number), content }
}

async function keptFile(context: BooksContext, actor: Actor, id: string): Promise<Uint8Array> {
  const { sql } = context.database
  const kept = await findDocumentFile(sql, actor, id)
  if (kept) return kept
  await insertDocumentFile(sql, actor, {
    documentId: id,
    content: await renderDocumentPdf(await frozen(context, actor, id)),
    createdAt: context.clock.now(),
  })
  // Another process may have been first.
  return assertDefined(await findDocumentFile(sql, actor, id), 'a file that was kept vanished')
}

async function frozen({ database }: BooksContext, actor: Actor, id: string) {
  const snapshot = await findSnapshot(database.sql, actor, id)
  return assertDefined(snapshot, 'issued without a snapshot')
}

async function unfrozen(context: BooksContext, actor: Actor, document: Document) {
  const { sql } = context.database
  const facts = await gatherFacts(sql, actor, document)
  return freezeDocument(context, actor, await findOrganisation(sql, actor), facts, document)
}
