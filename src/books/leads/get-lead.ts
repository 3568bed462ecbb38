import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Lead } from './lead.ts'
import { findLead } from './lead-store.ts'

export const getLead = defineOperation({
  name: 'get-lead',
  summary: 'Show a lead',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor, { id }): Promise<Lead> {
    const lead = await findLead(database.sql, actor, id)
    if (!lead) throw notFound('lead')
    return lead
  },
})
