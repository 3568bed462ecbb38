import { writerRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { recordLeadAct } from './change-lead.ts'
import type { Lead } from './lead.ts'
import { leadInput, readLead } from './lead-input.ts'
import { insertLead } from './lead-store.ts'

export const createLead = defineOperation({
  name: 'create-lead',
  summary: 'Add a lead',
  kind: 'write',
  input: leadInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, input): Promise<Lead> {
    const now = context.clock.now()
    const lead: Lead = {
      id: context.ids.uuid(),
      status: 'new',
      ...readLead(input),
      contactId: null,
      quoteId: null,
      lostReason: null,
      createdAt: now,
      updatedAt: now,
    }
    return context.database.transaction(async (tx) => {
      await insertLead(tx, actor, lead)
      await recordLeadAct(tx, context, actor, lead, 'lead.create')
      return lead
    })
  },
})
