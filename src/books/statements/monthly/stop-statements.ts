// Mails a contact no monthly statement until a person resumes it.
import { z } from 'zod'
import { recordAct } from '../../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../../kernel/basics/fault.ts'
import { writerRoles } from '../../../kernel/operations/permission.ts'
import { someText, uuid } from '../../../kernel/operations/schemas.ts'
import type { Contact } from '../../contacts/contact.ts'
import { findContact } from '../../contacts/contact-store.ts'
import { defineOperation } from '../../context.ts'
import { reasonMax } from '../../reminders/dispute-invoice.ts'
import { findStatementStop, insertStatementStop } from './statement-settings-store.ts'

export const stopContactStatements = defineOperation({
  name: 'stop-contact-statements',
  summary: 'Stop the monthly statements of a contact',
  kind: 'write',
  input: z.strictObject({ id: uuid(), reason: someText(reasonMax) }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, reason }): Promise<Contact> {
    return context.database.transaction(async (tx) => {
      const contact = await findContact(tx, actor, id)
      if (!contact) throw notFound('contact')
      const earlier = await findStatementStop(tx, actor, contact.id)
      const stop = { contactId: contact.id, reason, createdAt: context.clock.now() }
      const isNew =
        !earlier && (await insertStatementStop(tx, actor, { id: context.ids.uuid(), ...stop }))
      if (!isNew) {
        throw new Fault('conflict', `The statements of ${contact.name} are stopped already.`)
      }
      await recordAct(tx, context, actor, {
        action: 'contact.stop_statements',
        objectKind: 'contact',
        objectId: contact.id,
        detail: { reason },
      })
      return contact
    })
  },
})
