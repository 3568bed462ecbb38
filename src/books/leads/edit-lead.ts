import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changeLead } from './change-lead.ts'
import type { Lead } from './lead.ts'
import { leadInput, readLead } from './lead-input.ts'

export const editLead = defineOperation({
  name: 'edit-lead',
  summary: 'Change a lead',
  kind: 'write',
  input: z.strictObject({ id: uuid(), ...leadInput.shape }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, ...input }): Promise<Lead> {
    return context.database.transaction((tx) =>
      changeLead(tx, context, actor, id, 'lead.edit', () => readLead(input)),
    )
  },
})
