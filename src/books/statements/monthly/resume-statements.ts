// Mails a contact its monthly statements again. Months that have ended meanwhile are not sent.
import { z } from 'zod'
import { recordAct } from '../../../kernel/auth/audit-log.ts'
import { notFound } from '../../../kernel/basics/fault.ts'
import { writerRoles } from '../../../kernel/operations/permission.ts'
import { uuid } from '../../../kernel/operations/schemas.ts'
import type { Contact } from '../../contacts/contact.ts'
import { findContact } from '../../contacts/contact-store.ts'
import { defineOperation } from '../../context.ts'
import { updateStatementStopsEnded } from './statement-settings-store.ts'

export const resumeContactStatements = defineOperation({
  name: 'resume-contact-statements',
  summary: 'Mail a contact its monthly statements again',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Contact> {
    return context.database.transaction(async (tx) => {
      const contact = await findContact(tx, actor, id)
      if (!contact) throw notFound('contact')
      const ended = await updateStatementStopsEnded(tx, actor, contact.id, context.clock.now())
      if (ended === 0) {
        context.call.nothingChanged()
        return contact
      }
      await recordAct(tx, context, actor, {
        action: 'contact.resume_statements',
        objectKind: 'contact',
        objectId: contact.id,
      })
      return contact
    })
  },
})
