import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changeLead } from './change-lead.ts'
import type { Lead } from './lead.ts'

export const loseLead = defineOperation({
  name: 'lose-lead',
  summary: 'Mark a lead lost',
  kind: 'write',
  input: z.strictObject({ id: uuid(), reason: line(500).nullable().default(null) }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, reason }): Promise<Lead> {
    return context.database.transaction((tx) =>
      changeLead(tx, context, actor, id, 'lead.lose', () => ({
        status: 'lost',
        lostReason: reason,
      })),
    )
  },
})
