// Agrees on another due date for a document that is in the books. The printed file stays as it was
// issued; lists, reports from today on, events and mails show the new day, and the audit log both.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { bookDay } from '../input/day-input.ts'
import { insertDueDateChange, updateOpenItemDueDate } from '../payments/open-item-store.ts'
import { today } from '../settings/organisation.ts'
import { lockForChange, requireVersion, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

export const changeDueDate = defineOperation({
  name: 'change-due-date',
  summary: 'Change the due date of a document in the books',
  kind: 'write',
  input: z.strictObject({ id: uuid(), dueDate: bookDay(), version: z.int().optional() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, dueDate, version }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const { document, organisation } = await lockForChange(tx, actor, id, 'change_due_date')
      requireVersion(document, version)
      if (dueDate < document.date) {
        throw invalidField('dueDate', `Must not be before ${document.date}, the date.`)
      }
      if (dueDate === document.dueDate) {
        context.call.nothingChanged()
        return document
      }
      await updateOpenItemDueDate(tx, actor, id, dueDate)
      await insertDueDateChange(tx, actor, {
        id: context.ids.uuid(),
        itemId: id,
        changedOn: today(organisation, context.clock.now()),
        formerDueDate: document.dueDate,
      })
      return writeChange(tx, context, actor, document, {
        verb: 'change_due_date',
        changes: { dueDate },
        detail: { from: document.dueDate, to: dueDate },
      })
    })
  },
})
