// Creates a draft of any kind. It has no number and is not posted; a person looks at it first.
import { z } from 'zod'
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { type ActDetail, recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { answer, replayHeader, withReplay } from '../../kernel/http/route.ts'
import { outwardFault } from '../../kernel/operations/outer-names.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { idempotencyKeyHeader, uuid } from '../../kernel/operations/schemas.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { assignWaitingFiles } from '../attachments/assign-waiting-files.ts'
import { attachmentsMax } from '../attachments/attachment.ts'
import { type BooksContext, defineOperation, defineRoute } from '../context.ts'
import {
  type Document,
  type DocumentWithLines,
  documentEventData,
  documentEventType,
  withoutTaxes,
} from './document.ts'
import { type DocumentInput, documentBody, documentInput, readBody } from './document-input.ts'
import { findWholeDocument } from './document-list-store.ts'
import { documentRecordWithLines, presentDocumentWithLines } from './document-record.ts'
import { type DocumentKind, documentKinds, isSale } from './document-status.ts'
import { findSameReference, insertDocument, insertDocumentLines } from './document-store.ts'
import { requireCredited } from './require-credited.ts'
import { type Draft, resolveDraft } from './resolve-draft.ts'

export const createDocument = defineOperation({
  name: 'create-document',
  summary: 'Create a draft of the given kind',
  kind: 'write',
  input: z.strictObject({
    kind: z.enum(documentKinds),
    ...documentInput.shape,
    // Files of the person that wait for this document.
    attachmentIds: z
      .array(uuid())
      .max(attachmentsMax, { error: `A document has at most ${attachmentsMax} files.` })
      .optional(),
  }),
  scopes: ['write'],
  roles: writerRoles,
  idempotency: {
    name: 'invoices',
    nameOf: ({ kind }) => `${kind}s`,
    async replay({ database: { sql } }, actor, id) {
      const document = await findWholeDocument(sql, actor, id)
      return withWarnings(sql, actor, assertDefined(document, 'an idempotent document vanished'))
    },
  },
  async run(context, actor, { kind, attachmentIds = [], ...input }): Promise<WrittenDocument> {
    return context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      const document = await addDocument(tx, context, actor, kind, input, id)
      await assignWaitingFiles(tx, context, actor, document, attachmentIds)
      return withWarnings(tx, actor, document)
    })
  },
})

// 200 lines of 2,000 characters fit, also where each is written as an escape of six bytes.
const bodyLimitBytes = 4 * 1024 * 1024

export type WrittenDocument = DocumentWithLines & {
  // For the author; nothing is refused because of them.
  readonly warnings: readonly string[]
}

export const createInvoiceRoute = defineRoute({
  operation: createDocument,
  summary: 'Create a draft invoice',
  method: 'POST',
  path: '/invoices',
  operationId: 'createInvoice',
  tag: 'Invoices',
  description:
    'A person reviews and issues it. A line without `account_id` or ' +
    "`tax_code_id` takes that of its item, then the customer's, then the organisation's. With an " +
    '`Idempotency-Key`, a repeat returns the invoice that the first call made, also if its body ' +
    'differs; the audit log then records the difference. Sends `invoice.created`.',
  headers: idempotencyKeyHeader(1, 255),
  body: documentBody,
  bodyLimitBytes,
  responses: {
    201: {
      description: 'The new invoice.',
      schema: documentRecordWithLines,
      headers: replayHeader,
    },
  },
  input: ({ body }) => ({ kind: 'invoice' as const, ...readBody(body) }),
  idempotencyKey: ({ headers }) => headers['idempotency-key'],
  answer: (document, _context, _request, outcome) =>
    withReplay(answer(201, presentDocumentWithLines(document)), outcome),
  presentFault: outwardFault,
})

// What made a document that no person or key created.
export type DocumentOrigin = {
  readonly authorPersonId: string | null
  readonly detail: ActDetail
}

// Also for imports, quotes and schedules. The input has passed `documentInput`.
export async function addDocument(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  kind: DocumentKind,
  input: DocumentInput,
  id = context.ids.uuid(),
  origin?: DocumentOrigin,
): Promise<DocumentWithLines> {
  const side = isSale(kind) ? 'sales' : 'purchase'
  const { lines, ...draft } = await resolveDraft(tx, context, actor, side, input)
  const creditsDocumentId = input.creditsDocumentId ?? null
  const authorPersonId = origin ? origin.authorPersonId : authorOf(actor)
  const document = newDocument(context, actor, kind, id, {
    ...draft,
    creditsDocumentId,
    authorPersonId,
  })
  await requireCredited(tx, actor, document)
  // Sent together: the database runs them in order, and we wait once.
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
      ...(input.fxRate !== undefined && { detail: { fxRate: input.fxRate } }),
      ...(origin && { detail: origin.detail }),
    }),
  ])
  return { ...document, lines: lines.map(withoutTaxes) }
}

function newDocument(
  context: BooksContext,
  actor: Actor,
  kind: DocumentKind,
  id: string,
  draft: Omit<Draft, 'lines'> & Pick<Document, 'creditsDocumentId' | 'authorPersonId'>,
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

// Four eyes are about people, so a key counts as its creator.
export function authorOf(actor: Actor): string | null {
  if (actor.kind === 'person') return actor.personId
  return actor.kind === 'key' ? actor.createdBy : null
}

// A bill that is entered twice may be paid twice.
export async function withWarnings<Written extends Document>(
  sql: Sql | Tx,
  actor: Actor,
  document: Written,
): Promise<Written & Pick<WrittenDocument, 'warnings'>> {
  if (isSale(document.kind) || document.reference === null) return { ...document, warnings: [] }
  const same = await findSameReference(sql, actor, document)
  const name = same?.number ?? `a draft of ${same?.date}`
  const warning = `The reference ${document.reference} of this supplier is already on ${name}.`
  return { ...document, warnings: same ? [warning] : [] }
}
