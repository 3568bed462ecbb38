import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import type { NamedJournalTemplate } from './journal-template.ts'
import { listJournalTemplates as listStored } from './journal-template-store.ts'

const templatesMax = 500

export const listJournalTemplates = defineOperation({
  name: 'list-journal-templates',
  summary: 'List the templates of manual journals',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database: { sql } }, actor): Promise<readonly NamedJournalTemplate[]> =>
    listStored(sql, actor, templatesMax),
})
