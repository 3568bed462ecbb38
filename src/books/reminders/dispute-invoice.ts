// Flags an invoice that its customer disputes: it is not reminded until a person resumes that. It
// stays owed; a credit note, a write-off or a payment settles it.
import { z } from 'zod'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { someText, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { openProblem } from '../documents/document-acts.ts'
import { lockDocument } from '../documents/document-store.ts'
import { stopReminders } from './stop-reminders.ts'

export const reasonMax = 500

export const disputeInvoice = defineOperation({
  name: 'dispute-invoice',
  summary: 'Flag an invoice as disputed, so that it is not reminded',
  kind: 'write',
  input: z.strictObject({ id: uuid(), reason: someText(reasonMax) }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, reason }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const document = await lockDocument(tx, actor, id)
      if (document?.kind !== 'invoice') throw notFound('invoice')
      const problem = openProblem(document)
      if (problem !== null) throw new Fault('conflict', problem)
      if (!(await stopReminders(tx, context, actor, { documentId: id }, 'disputed', reason))) {
        throw new Fault('conflict', 'It is flagged as disputed already.')
      }
      return document
    })
  },
})
