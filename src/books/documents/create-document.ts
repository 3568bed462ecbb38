// Makes a draft of any kind. It has no number and is in no books: a person looks at it first.
import type { z } from 'zod'
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import {
  type Document,
  type DocumentLine,
  documentEventData,
  documentEventType,
} from './document.ts'
import { type DocumentInput, documentForm } from './document-input.ts'
import { type DocumentKind, isSale } from './document-status.ts'
import { findSameReference, insertDocument, insertDocumentLines } from './document-store.ts'
import { type Draft, resolveDraft } from './resolve-draft.ts'

export type WholeDocument = { readonly document: Document; readonly lines: readonly DocumentLine[] }

export type Entered = WholeDocument & {
  // For the person who entered it; nothing is refused because of them.
  readonly warnings: readonly string[]
}

export async function createDocument(
  context: BooksContext,
  actor: Actor,
  kind: DocumentKind,
  input: z.input<typeof documentForm>,
): Promise<Entered> {
  requireRole(actor, 'draft')
  const wanted = validated(documentForm, input)
  return context.database.transaction(async (tx) => {
    const entered = await addDocument(tx, context, actor, kind, wanted)
    return { ...entered, warnings: await warningsAbout(tx, actor, entered.document) }
  })
}

// The same in the caller's transaction; the input is what the schemas of documents give back.
export async function addDocument(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  kind: DocumentKind,
  input: DocumentInput,
  id = context.ids.uuid(),
): Promise<WholeDocument> {
  const side = isSale(kind) ? 'sales' : 'purchase'
  const { lines, ...draft } = await resolveDraft(tx, context, actor, side, input)
  const document = newDocument(context, actor, kind, id, draft)
  // Sent together: each waits for the one before in the database, and none for our asking.
  await Promise.all([
    insertDocument(tx, actor, document),
    insertDocumentLines(tx, actor, id, lines),
    publish(tx, context, actor, {
      service: 'books',
      type: documentEventType(document, { sale: 'created', purchase: 'created' }),
      objectId: id,
      data: documentEventData(document),
    }),
    recordAct(tx, context, actor, {
      action: `${kind}.create`,
      objectKind: kind,
      objectId: id,
      ...(input.fx_rate !== undefined && { detail: { fxRate: input.fx_rate } }),
    }),
  ])
  return { document, lines }
}

function newDocument(
  context: BooksContext,
  actor: Actor,
  kind: DocumentKind,
  id: string,
  draft: Omit<Draft, 'lines'>,
): Document {
  const createdAt = context.clock.now()
  return {
    id,
    kind,
    status: 'draft',
    number: null,
    ...draft,
    paidMinor: 0n,
    creditedMinor: 0n,
    writtenOffMinor: 0n,
    createdByKind: actor.kind,
    createdBy: actorId(actor),
    authorPersonId: authorOf(actor),
    submittedAt: null,
    approvedAt: null,
    approvedBy: null,
    returnReason: null,
    postedAt: null,
    sentAt: null,
    voidedAt: null,
    createdAt,
    updatedAt: createdAt,
    version: 1,
  }
}

// Four eyes look at people, so a key stands for whoever made it.
export function authorOf(actor: Actor): string | null {
  if (actor.kind === 'person') return actor.personId
  return actor.kind === 'key' ? actor.createdBy : null
}

// The same bill entered twice is paid twice.
export async function warningsAbout(
  tx: Tx,
  actor: Actor,
  document: Document,
): Promise<readonly string[]> {
  if (isSale(document.kind) || document.reference === null) return []
  const same = await findSameReference(tx, actor, document)
  if (!same) return []
  const name = same.number ?? `a draft of ${same.date}`
  return [`The reference ${document.reference} of this supplier is on ${name} already.`]
}
