// The effect of payments, credits and write-offs on a document: the amounts change, the status
// follows, and an event is sent when it becomes paid. The caller posts the entry and changes the
// open items; the document is locked before them, here or by the caller.
import type { Actor } from '../../kernel/auth/actor.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { type Document, documentEventData, documentEventType } from './document.ts'
import { documentStatus } from './document-status.ts'
import { lockDocument, updateDocument } from './document-store.ts'

// Amounts to add; negative when a settlement is undone.
export type Settlement = {
  readonly paidMinor?: bigint
  readonly creditedMinor?: bigint
  readonly writtenOffMinor?: bigint
}

export async function settleDocument(
  tx: Tx,
  context: Context,
  actor: Actor,
  documentId: string,
  settlement: Settlement,
): Promise<Document> {
  const before = assertDefined(
    await lockDocument(tx, actor, documentId),
    'a document that is settled vanished',
  )
  assert(before.postedAt && !before.voidedAt, 'a document that is not in the books is settled')
  const amounts = {
    paidMinor: before.paidMinor + (settlement.paidMinor ?? 0n),
    creditedMinor: before.creditedMinor + (settlement.creditedMinor ?? 0n),
    writtenOffMinor: before.writtenOffMinor + (settlement.writtenOffMinor ?? 0n),
  }
  const status = documentStatus({ ...before, ...amounts })
  const changes = {
    ...amounts,
    status,
    updatedAt: context.clock.now(),
    version: before.version + 1,
  }
  await updateDocument(tx, actor, documentId, changes)
  const after = { ...before, ...changes }
  if (status === 'paid' && before.status !== 'paid') await publishPaid(tx, context, actor, after)
  return after
}

export async function publishPaid(
  tx: Tx,
  context: Context,
  actor: Actor,
  document: Document,
): Promise<void> {
  await publish(tx, context, actor, {
    service: 'books',
    type: documentEventType(document, { sale: 'paid', purchase: 'paid' }),
    objectId: document.id,
    data: documentEventData(document),
  })
}
