import type { KeyActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { answer } from '../../kernel/http/route.ts'
import { claimIdempotencyKey } from '../../kernel/operations/idempotency.ts'
import { idempotencyKeyHeader } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineHandledRoute } from '../context.ts'
import { addDocument } from './create-document.ts'
import { type DocumentInput, documentBody } from './document-input.ts'
import { findWholeDocument, type ReadDocument } from './document-list-store.ts'
import { documentRecordWithLines, presentDocumentWithLines } from './document-record.ts'

export const createInvoice = defineHandledRoute({
  method: 'POST',
  path: '/invoices',
  operationId: 'createInvoice',
  tag: 'Invoices',
  summary: 'Create a draft invoice',
  description:
    'A person reviews and issues it. A line without `account_id` or ' +
    "`tax_code_id` takes that of its item, then the customer's, then the organisation's. With an " +
    '`Idempotency-Key`, a repeat returns the invoice that the first call made. Sends ' +
    '`invoice.created`.',
  scopes: ['write'],
  headers: idempotencyKeyHeader(1, 255),
  body: documentBody,
  responses: {
    201: { description: 'The new invoice.', schema: documentRecordWithLines },
  },
  async handle(context, { actor, headers, body }) {
    const { document, lines } = await createOnce(context, actor, headers['idempotency-key'], body)
    return answer(201, presentDocumentWithLines(document, lines))
  },
})

async function createOnce(
  context: BooksContext,
  actor: KeyActor,
  key: string | undefined,
  input: DocumentInput,
): Promise<ReadDocument> {
  return context.database.transaction(async (tx) => {
    const id = context.ids.uuid()
    const call = { operation: 'invoices', key, body: input }
    const earlierId = await claimIdempotencyKey(tx, context, actor, call, id)
    if (!earlierId) return addDocument(tx, context, actor, 'invoice', input, id)
    return assertDefined(
      await findWholeDocument(tx, actor, earlierId),
      'an idempotent invoice vanished',
    )
  })
}
