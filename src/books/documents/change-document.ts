// The frame of every change to a document: the row is locked, the change is checked, the status
// follows from the facts, and the audit log names the actor.
import type { Actor } from '../../kernel/auth/actor.ts'
import { type ActDetail, recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import type { BooksContext } from '../context.ts'
import type { Organisation } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type Document, documentEventData } from './document.ts'
import { documentStatus } from './document-status.ts'
import { type DocumentChanges, lockDocument, updateDocument } from './document-store.ts'
import { type DocumentOperation, requireTransition } from './document-transition.ts'

export type Locked = { readonly document: Document; readonly organisation: Organisation }

export async function lockForChange(
  tx: Tx,
  actor: Actor,
  id: string,
  operation: DocumentOperation,
): Promise<Locked> {
  const [document, organisation] = await Promise.all([
    lockDocument(tx, actor, id),
    findOrganisation(tx, actor),
  ])
  if (!document) throw notFound('document')
  requireTransition(document, operation, organisation)
  return { document, organisation }
}

// People decide about the version that they saw, so that two people notice each other's changes.
export function requireVersion(document: Document, version: number | undefined): void {
  if (version === undefined || version === document.version) return
  throw new Fault('conflict', 'Someone else has changed it meanwhile. Look at it again.')
}

export type Change = {
  readonly verb: DocumentOperation
  readonly changes: Omit<Partial<DocumentChanges>, 'status' | 'updatedAt' | 'version'>
  readonly detail?: ActDetail
  // The event of the change, if any.
  readonly eventType?: string | undefined
}

// Writes the change of a document that the caller has locked.
export async function writeChange(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  document: Document,
  { verb, changes, detail, eventType }: Change,
): Promise<Document> {
  const changed = { ...document, ...changes }
  const stamped = {
    ...changes,
    status: documentStatus(changed),
    updatedAt: context.clock.now(),
    version: document.version + 1,
  }
  const { snapshot: _, ...after } = { snapshot: null, ...changed, ...stamped }
  await Promise.all([
    updateDocument(tx, actor, document.id, stamped),
    recordAct(tx, context, actor, {
      action: `${document.kind}.${verb}`,
      objectKind: document.kind,
      objectId: document.id,
      ...(detail && { detail }),
    }),
    eventType &&
      publish(tx, context, actor, {
        service: 'books',
        type: eventType,
        objectId: document.id,
        data: documentEventData(after),
      }),
    context.onDocumentChange?.(tx, document.id),
  ])
  return after
}
