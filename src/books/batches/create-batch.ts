// Starts an act on many documents. The transaction stores the documents and queues the job
// that works through them, so the work survives a crash and the person need not wait.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { enqueueJob } from '../../kernel/jobs/enqueue-job.ts'
import { requirePerson, writerRoles } from '../../kernel/operations/permission.ts'
import { optionalLine, uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { dueMinor } from '../documents/document-acts.ts'
import { documentSides } from '../documents/document-status.ts'
import { listNamedDocuments } from '../documents/named-document-store.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { requireNotFuture } from '../journal/date-limits.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  type Batch,
  type BatchAct,
  type BatchDocument,
  batchActs,
  batchDocumentsMax,
  batchProblem,
} from './batch.ts'
import { insertBatch, insertBatchDocuments } from './batch-store.ts'
import { finishBatchJob } from './finish-batch.ts'
import { chosenOf } from './preview-batch.ts'

const paymentInput = z.strictObject({
  // The account that all the money came into or left.
  accountId: uuid(),
  date: bookDay(),
  reference: optionalLine(255).optional(),
  ...oldDate,
})

export const createBatch = defineOperation({
  name: 'create-batch',
  summary: 'Submit, approve, issue, send or pay many documents',
  kind: 'write',
  input: z.strictObject({
    side: z.enum(documentSides),
    act: z.enum(batchActs),
    // `version` is the one that the person saw.
    documents: z
      .array(z.strictObject({ id: uuid(), version: z.int() }))
      .min(1, { error: 'Choose at least one document.' })
      .max(batchDocumentsMax, { error: `At most ${batchDocumentsMax} documents.` }),
    // Each document is paid with what is due.
    payment: paymentInput.optional(),
  }),
  scopes: [],
  roles: writerRoles,
  peopleOnly: true,
  async run(context, actor, { side, act, documents: chosen, payment }): Promise<Batch> {
    const { personId } = requirePerson(actor)
    if ((payment !== undefined) !== (act === 'record_payment')) {
      throw invalidField('payment', 'Is for payments, and only for them.')
    }
    const ids = chosen.map(({ id }) => id)
    if (new Set(ids).size < ids.length) throw invalidField('documents', 'Name each document once.')
    const versions = new Map(chosen.map(({ id, version }) => [id, version]))
    const createdAt = context.clock.now()
    const batch: Batch = {
      id: context.ids.uuid(),
      act,
      side,
      personId,
      payment: payment ?? null,
      documentCount: ids.length,
      createdAt,
      finishedAt: null,
    }
    await context.database.transaction(async (tx) => {
      const organisation = await findOrganisation(tx, actor)
      if (payment) requireNotFuture(organisation, createdAt, payment.date)
      const documents = chosenOf(await listNamedDocuments(tx, actor, ids), ids, side)
      const rows = documents.map((document, position) => {
        const version = versions.get(document.id) ?? document.version
        const problem =
          version === document.version
            ? batchProblem(document, act, organisation, requirePerson(actor))
            : 'Someone else has changed it meanwhile. Look at it again.'
        return newRow(context, act, document, { position, version, problem })
      })
      await insertBatch(tx, actor, batch)
      await insertBatchDocuments(tx, actor, batch.id, rows)
      await enqueueJob(tx, context, finishBatchJob, {
        tenant: { businessId: actor.businessId, environment: actor.environment },
        payload: { batchId: batch.id },
        uniqueKey: batch.id,
      })
      await recordAct(tx, context, actor, {
        action: 'batch.create',
        objectKind: 'batch',
        objectId: batch.id,
        detail: { act, side, documents: ids.length },
      })
    })
    return batch
  },
})

// What is not possible any more is refused here; the job looks at the rest.
function newRow(
  { clock }: Pick<BooksContext, 'clock'>,
  act: BatchAct,
  document: Document,
  { position, version, problem }: { position: number; version: number; problem: string | null },
): BatchDocument {
  const isPaid = act === 'record_payment' && problem === null
  return {
    position,
    documentId: document.id,
    version,
    amountMinor: isPaid ? dueMinor(document) : null,
    status: problem === null ? 'waiting' : 'refused',
    reason: problem,
    endedAt: problem === null ? null : clock.now(),
  }
}
