// The files that a person uploaded before the first save become those of the new document.
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import type { DocumentKind } from '../documents/document-status.ts'
import { attachDetail } from './add-attachment.ts'
import { updateWaitingFilesToOwned } from './attachment-store.ts'

export async function assignWaitingFiles(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { id: documentId, kind }: { readonly id: string; readonly kind: DocumentKind },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const wanted = { documentId, addedBy: actorId(actor), ids }
  const claimed = await updateWaitingFilesToOwned(tx, actor, wanted)
  if (claimed.length < new Set(ids).size) {
    throw new Fault('conflict', 'A file is no longer there. Attach it again, or save without it.')
  }
  for (const file of claimed) {
    await recordAct(tx, context, actor, {
      action: `${kind}.attach`,
      objectKind: kind,
      objectId: documentId,
      detail: attachDetail(file),
    })
  }
}
