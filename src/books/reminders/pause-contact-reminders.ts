// Reminds a contact of no invoice until a person resumes it.
import { z } from 'zod'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { someText, uuid } from '../../kernel/operations/schemas.ts'
import type { Contact } from '../contacts/contact.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { reasonMax } from './dispute-invoice.ts'
import { stopReminders } from './stop-reminders.ts'

export const pauseContactReminders = defineOperation({
  name: 'pause-contact-reminders',
  summary: 'Stop reminding a contact of its invoices',
  kind: 'write',
  input: z.strictObject({ id: uuid(), reason: someText(reasonMax) }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, reason }): Promise<Contact> {
    return context.database.transaction(async (tx) => {
      const contact = await findContact(tx, actor, id)
      if (!contact) throw notFound('contact')
      if (!(await stopReminders(tx, context, actor, { contactId: contact.id }, 'paused', reason))) {
        throw new Fault('conflict', `The reminders of ${contact.name} are paused already.`)
      }
      return contact
    })
  },
})
