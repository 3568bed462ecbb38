// Does a batch, one document after the other, through the operations of the single acts and with
// the permission that the person has now. A document is marked as done in the transaction that
// changes it, so a job that goes on after a crash does nothing twice; payments have an idempotency
// key instead.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { requireMember } from '../../kernel/auth/require-member.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, type FaultKind } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { CauseMissing, defineJob } from '../../kernel/jobs/job.ts'
import type { BooksContext } from '../context.ts'
import { applySingleAct } from './apply-single-act.ts'
import type { Batch, NamedBatchDocument } from './batch.ts'
import {
  findBatch,
  listBatchDocuments,
  updateBatchDocumentToDone,
  updateBatchDocumentToRefused,
  updateBatchToFinished,
} from './batch-store.ts'

const minute = 60
const attemptsMax = 8

export const finishBatchJob = defineJob({
  kind: 'finish-batch',
  schema: z.object({ batchId: z.uuid() }),
  attemptsMax,
  retryDelaysSeconds: [5, 30, 5 * minute, 30 * minute],
  leaseSeconds: 60,
  // Five hundred documents take a while, and delay nothing else.
  ownSlots: 2,
  async run(context: BooksContext, { tenant, payload, attempt }, signal) {
    const own = assertDefined(tenant, 'a batch without a tenant')
    await runBatch(context, own, payload.batchId, { isLast: attempt >= attemptsMax, signal })
  },
})

type Run = { readonly isLast: boolean; readonly signal: AbortSignal }

async function runBatch(
  context: BooksContext,
  tenant: Tenant,
  batchId: string,
  { isLast, signal }: Run,
): Promise<void> {
  const { sql } = context.database
  const batch = await findBatch(sql, tenant, batchId)
  if (!batch) throw new CauseMissing('no such batch')
  const documents = await listBatchDocuments(sql, tenant, batchId)
  let failure: unknown
  for (const document of documents.filter(({ status }) => status === 'waiting')) {
    signal.throwIfAborted()
    try {
      await runOne(context, tenant, batch, document)
    } catch (error) {
      // The others are not held up by one. It is tried again later.
      failure ??= error
      if (isLast) await refuse(context, tenant, batch, document, unexpected)
    }
  }
  if (failure !== undefined && !isLast) throw failure
  await finish(context, tenant, batch)
  if (failure !== undefined) throw failure
}

const unexpected = 'An unexpected error. Nothing was done. Open the document and try it there.'

async function runOne(
  context: BooksContext,
  tenant: Tenant,
  batch: Batch,
  document: NamedBatchDocument,
): Promise<void> {
  const row = { batchId: batch.id, position: document.position }
  // By transaction: one that was rolled back after a deadlock has marked nothing.
  let markedIn: Tx | undefined
  const onDocumentChange = async (tx: Tx, documentId: string) => {
    if (documentId !== document.documentId || markedIn === tx) return
    const isDone = await updateBatchDocumentToDone(tx, tenant, { ...row, at: context.clock.now() })
    // Another worker was quicker. Throwing rolls the change back.
    assert(isDone, 'a document of a batch was decided twice')
    markedIn = tx
  }
  try {
    // Asked for each document: the person may lose the role meanwhile.
    const actor = await requireMember(context.database.sql, tenant, batch.personId)
    await applySingleAct({ ...context, onDocumentChange }, actor, batch, document)
    const at = context.clock.now()
    // A payment changes the document through its open item, without the call above.
    if (!markedIn) await updateBatchDocumentToDone(context.database.sql, tenant, { ...row, at })
  } catch (error) {
    if (!(error instanceof Fault) || transientKinds.includes(error.kind)) throw error
    await refuse(context, tenant, batch, document, reasonOf(error))
  }
}

// Not decisions about the document: it is tried again.
const transientKinds: readonly FaultKind[] = ['internal_error', 'unavailable', 'rate_limited']

async function refuse(
  { database: { sql }, clock }: BooksContext,
  tenant: Tenant,
  { id: batchId }: Batch,
  { position }: NamedBatchDocument,
  reason: string,
): Promise<void> {
  await updateBatchDocumentToRefused(sql, tenant, { batchId, position, reason, at: clock.now() })
}

function reasonOf({ error }: Fault): string {
  if (typeof error === 'string') return error
  return [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
}

// The row in the audit log also tells the pages that show the batch.
async function finish(context: BooksContext, tenant: Tenant, { id }: Batch): Promise<void> {
  const actor = { kind: 'system', name: 'finish-batch', ...tenant } as const
  await context.database.transaction(async (tx) => {
    if (!(await updateBatchToFinished(tx, tenant, id, context.clock.now()))) return
    await recordAct(tx, context, actor, {
      action: 'batch.finish',
      objectKind: 'batch',
      objectId: id,
    })
  })
}
