// Ends what stops the reminders of an invoice: the dispute flag, or that a refund or chargeback has
// opened it again. Steps whose day has passed meanwhile are not sent.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { lockDocument } from '../documents/document-store.ts'
import { updateStopsEnded } from './reminder-stop-store.ts'

export const resumeInvoiceReminders = defineOperation({
  name: 'resume-invoice-reminders',
  summary: 'Remind of an invoice again',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const document = await lockDocument(tx, actor, id)
      if (document?.kind !== 'invoice') throw notFound('invoice')
      const ended = await updateStopsEnded(tx, actor, { documentId: id }, context.clock.now())
      if (ended === 0) {
        context.call.nothingChanged()
        return document
      }
      await recordAct(tx, context, actor, {
        action: 'invoice.resume_reminders',
        objectKind: 'invoice',
        objectId: id,
      })
      return document
    })
  },
})
