// One document of a batch, through the operation that its own page calls.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import type { BooksContext } from '../context.ts'
import { approveDocument } from '../documents/approve-document.ts'
import { majorUnits } from '../documents/document.ts'
import { isDebit } from '../documents/document-status.ts'
import { findDocument } from '../documents/document-store.ts'
import { issueDocument } from '../documents/issue-document.ts'
import { sendDocument } from '../documents/send-document.ts'
import { submitDocument } from '../documents/submit-document.ts'
import { recordPayment } from '../payments/record-payment.ts'
import type { Batch, BatchDocument } from './batch.ts'

export async function applySingleAct(
  context: BooksContext,
  actor: PersonActor,
  batch: Batch,
  { documentId: id, version, amountMinor }: BatchDocument,
): Promise<void> {
  switch (batch.act) {
    case 'submit':
      await runOperation(submitDocument, context, actor, { id })
      return
    case 'approve':
      await runOperation(approveDocument, context, actor, { id, version })
      return
    case 'issue':
      await runOperation(issueDocument, context, actor, { id, version })
      return
    case 'send':
      await runOperation(sendDocument, context, actor, { id })
      return
    case 'record_payment':
      await pay(context, actor, batch, id, assertDefined(amountMinor, 'a payment of no amount'))
  }
}

// The amount is the one that was due when the person decided. If less is due now, the operation
// refuses it.
async function pay(
  context: BooksContext,
  actor: PersonActor,
  batch: Batch,
  documentId: string,
  amountMinor: bigint,
): Promise<void> {
  const found = await findDocument(context.database.sql, actor, documentId)
  const { kind, contactId, currency } = assertDefined(found, 'a document of a batch vanished')
  const amount = toText(majorUnits(amountMinor, currency))
  const terms = assertDefined(batch.payment, 'a batch of payments without its terms')
  await runOperation(
    recordPayment,
    context,
    actor,
    {
      direction: isDebit(kind) ? 'in' : 'out',
      contactId,
      currency,
      amount,
      ...terms,
      allocations: [{ itemId: documentId, amount }],
    },
    { idempotencyKey: `batch/${batch.id}/${documentId}` },
  )
}
