import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { requireJournalLines } from '../journal/post-manual-journal.ts'
import { journalTemplateInput } from '../recurring/recurring-template.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { NamedJournalTemplate } from './journal-template.ts'
import { insertJournalTemplate } from './journal-template-store.ts'

export const createJournalTemplate = defineOperation({
  name: 'create-journal-template',
  summary: 'Save a manual journal as a template',
  kind: 'write',
  input: z.strictObject({ name: line(200), ...journalTemplateInput.shape }),
  scopes: [],
  roles: approverRoles,
  async run(context, actor, { name, ...journal }): Promise<NamedJournalTemplate> {
    return context.database.transaction(async (tx) => {
      const createdAt = context.clock.now()
      const date = today(await findOrganisation(tx, actor), createdAt)
      await requireJournalLines(tx, actor, { date, lines: journal.lines })
      const template = { id: context.ids.uuid(), name, journal, createdAt }
      if (!(await insertJournalTemplate(tx, actor, template))) {
        throw invalidField('name', 'Another template has this name.')
      }
      await recordAct(tx, context, actor, {
        action: 'journal_template.create',
        objectKind: 'journal_template',
        objectId: template.id,
        detail: { name },
      })
      return template
    })
  },
})
