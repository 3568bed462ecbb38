import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { changeLead } from './change-lead.ts'
import { type Lead, leadEventData } from './lead.ts'

// The contact is the customer that the lead has become; a lead can be won without one.
export const winLead = defineOperation({
  name: 'win-lead',
  summary: 'Mark a lead won',
  kind: 'write',
  input: z.strictObject({ id: uuid(), contactId: uuid().nullable().default(null) }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, contactId }): Promise<Lead> {
    return context.database.transaction(async (tx) => {
      const won = await changeLead(tx, context, actor, id, 'lead.win', async (lead) => {
        const contact = contactId === null ? undefined : await findContact(tx, actor, contactId)
        if (contactId !== null && !contact) {
          throw invalidField('contactId', 'No such contact in these books.')
        }
        return { status: 'won', contactId: contact?.id ?? lead.contactId }
      })
      await publish(tx, context, actor, {
        service: 'books',
        type: 'lead.won',
        objectId: id,
        data: leadEventData(won),
      })
      return won
    })
  },
})
