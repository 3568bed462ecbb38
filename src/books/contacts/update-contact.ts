// Changes or deactivates a contact. Its documents stay, and no new ones can be created.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { requireDefaults } from '../input/require-defaults.ts'
import { type Contact, contactChanges } from './contact.ts'
import { findContact, updateContact as update } from './contact-store.ts'

export const updateContact = defineOperation({
  name: 'update-contact',
  summary: 'Change a contact',
  kind: 'write',
  input: z.strictObject({ id: uuid(), ...contactChanges.shape }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, ...wanted }): Promise<Contact> {
    return context.database.transaction(async (tx) => {
      const contact = await findContact(tx, actor, id)
      if (!contact) throw notFound('contact')
      const changes = changedFields(contact, wanted)
      if (Object.keys(changes).length === 0) {
        context.call.nothingChanged()
        return contact
      }
      await requireDefaults(tx, actor, changes)
      await update(tx, actor, contact.id, changes)
      await recordAct(tx, context, actor, {
        action: 'contact.update',
        objectKind: 'contact',
        objectId: contact.id,
        detail: changes,
      })
      return { ...contact, ...changes }
    })
  },
})
