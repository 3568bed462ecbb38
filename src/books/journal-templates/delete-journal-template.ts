import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { deleteJournalTemplate as deleteStored } from './journal-template-store.ts'

export const deleteJournalTemplate = defineOperation({
  name: 'delete-journal-template',
  summary: 'Delete a template of manual journals',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: approverRoles,
  async run(context, actor, { id }): Promise<void> {
    await context.database.transaction(async (tx) => {
      const name = await deleteStored(tx, actor, id)
      if (name === undefined) throw notFound('template')
      await recordAct(tx, context, actor, {
        action: 'journal_template.delete',
        objectKind: 'journal_template',
        objectId: id,
        detail: { name },
      })
    })
  },
})
