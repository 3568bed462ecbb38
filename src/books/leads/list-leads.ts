import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { leadStatuses } from './lead.ts'
import { listLeads as listStoredLeads } from './lead-store.ts'

export const listLeads = defineOperation({
  name: 'list-leads',
  summary: 'List the newest leads',
  kind: 'read',
  input: z.strictObject({ status: z.enum(leadStatuses).optional(), limit: listLimit() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { status, limit }) =>
    listStoredLeads(database.sql, actor, status, limit),
})
