import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changeLead } from './change-lead.ts'
import { type Lead, openLeadStatuses } from './lead.ts'

// Forward or back. A won or lost lead can't be moved.
export const moveLead = defineOperation({
  name: 'move-lead',
  summary: 'Move a lead to another open status',
  kind: 'write',
  input: z.strictObject({ id: uuid(), status: z.enum(openLeadStatuses) }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, status }): Promise<Lead> {
    return context.database.transaction((tx) =>
      changeLead(tx, context, actor, id, 'lead.move', () => ({ status })),
    )
  },
})
