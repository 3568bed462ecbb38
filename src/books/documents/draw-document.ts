// Draws the file of an issued document from its snapshot and stores it once: newer programs, fonts
// or logos don't change an issued document. The transaction that issues queues the job, so issuing
// neither waits for drawing nor forgets it. If the file is needed before the job has run, it is
// drawn here; the first stored file wins, and everyone gets that one.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Context } from '../../kernel/db/context.ts'
import { CauseMissing, defineJob } from '../../kernel/jobs/job.ts'
import type { BooksContext } from '../context.ts'
import { findDocumentFile, insertDocumentFile } from './document-file-store.ts'
import type { DocumentSnapshot } from './document-snapshot.ts'
import { findSnapshot } from './document-store.ts'
import { drawPdf } from './pdf/drawing.ts'

type DrawingContext = Context & Pick<BooksContext, 'drawing'>

const minute = 60
const hour = 60 * minute

export const drawDocumentJob = defineJob({
  kind: 'draw-document',
  schema: z.object({ documentId: z.uuid() }),
  attemptsMax: 12,
  retryDelaysSeconds: [10, minute, 10 * minute, hour, 6 * hour],
  leaseSeconds: 60,
  // A thousand invoices may be issued at once, and one is drawn at a time.
  ownSlots: 1,
  async run(context: DrawingContext, { tenant, payload }) {
    const own = assertDefined(tenant, 'a document without a tenant')
    const actor = { kind: 'system', name: 'draw-document', ...own } as const
    await storeDocumentFile(context, actor, payload.documentId)
  },
})

export async function storeDocumentFile(
  context: DrawingContext,
  actor: Actor,
  documentId: string,
): Promise<Uint8Array> {
  const kept = await findKept(context, actor, documentId)
  if (kept) return kept
  const snapshot = await requireSnapshot(context, actor, documentId)
  const content = await drawPdf(context, actor, snapshot)
  const sha256 = hashOf(content)
  const isFirst = await context.database.transaction(async (tx) => {
    const createdAt = context.clock.now()
    const file = { documentId, content, sha256, createdAt }
    if (!(await insertDocumentFile(tx, actor, file))) return false
    // The audit log is sealed, so it proves that the file is the one that was drawn.
    await recordAct(tx, context, actor, {
      action: 'document_file.keep',
      objectKind: snapshot.kind,
      objectId: documentId,
      detail: { sha256: sha256.toString('hex') },
    })
    context.failpoint('document.drawing')
    return true
  })
  context.failpoint('document.drawn')
  if (isFirst) return content
  return assertDefined(await findKept(context, actor, documentId), 'a file that was kept vanished')
}

// The snapshot from when it was issued.
export async function requireSnapshot(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  id: string,
): Promise<DocumentSnapshot> {
  const snapshot = await findSnapshot(database.sql, actor, id)
  if (!snapshot) throw new CauseMissing('a document without its snapshot was issued')
  return snapshot
}

async function findKept(
  { database }: Context,
  actor: Actor,
  documentId: string,
): Promise<Uint8Array | undefined> {
  const file = await findDocumentFile(database.sql, actor, documentId)
  assert(!file || hashOf(file.content).equals(file.sha256), 'the file of a document was changed')
  return file?.content
}

function hashOf(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest()
}
