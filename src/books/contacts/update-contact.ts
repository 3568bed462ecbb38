// Changes a contact, or retires it: documents that name it stay, and no new ones can be made.
import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { requireDefaults } from '../input/require-defaults.ts'
import { requireRole } from '../operations/permissions.ts'
import { type Contact, contactChanges } from './contact.ts'
import { findContact, updateContact as update } from './contact-store.ts'

export async function updateContact(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: z.input<typeof contactChanges>,
): Promise<Contact> {
  requireRole(actor, 'write')
  const wanted = validated(contactChanges, input)
  return context.database.transaction(async (tx) => {
    const contact = await findContact(tx, actor, id)
    if (!contact) throw notFound('contact')
    const changes = changedFields(contact, wanted)
    if (Object.keys(changes).length === 0) return contact
    await requireDefaults(tx, actor, changes)
    await update(tx, actor, id, changes)
    await recordAct(tx, context, actor, {
      action: 'contact.update',
      objectKind: 'contact',
      objectId: id,
      detail: changes,
    })
    return { ...contact, ...changes }
  })
}
