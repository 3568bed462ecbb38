// Makes two contacts one. Nothing that was booked changes: the merged contact stands for the other
// from then on (merged-contact-store.ts), and undo-contact-merge.ts can take them apart again.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { type Contact, mergeableFields } from './contact.ts'
import { findContact, findStoredContact, updateContact } from './contact-store.ts'
import { lockMergeable, updateMergedInto } from './merged-contact-store.ts'

export const mergeContacts = defineOperation({
  name: 'merge-contacts',
  summary: 'Make two contacts one',
  kind: 'write',
  input: z.strictObject({
    // The one that will stand for the other.
    id: uuid(),
    intoId: uuid(),
    // What the other takes over from it. Everything else stays as it is there.
    take: z.array(z.enum(mergeableFields)).default([]),
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, intoId, take }): Promise<Contact> {
    return context.database.transaction(async (tx) => {
      const { merged, kept } = await lockPair(tx, actor, id, intoId)
      const taken = Object.fromEntries(take.map((field) => [field, merged[field]]))
      const changes = changedFields(kept, {
        ...taken,
        // It has the documents of both.
        isCustomer: kept.isCustomer || merged.isCustomer,
        isSupplier: kept.isSupplier || merged.isSupplier,
      })
      if (Object.keys(changes).length > 0) await updateContact(tx, actor, kept.id, changes)
      await updateMergedInto(tx, actor, merged.id, kept.id)
      await recordAct(tx, context, actor, {
        action: 'contact.merge',
        objectKind: 'contact',
        objectId: kept.id,
        detail: { mergedId: merged.id, mergedName: merged.name, ...changes },
      })
      return { ...kept, ...changes }
    })
  },
})

// Both as stored, locked, and fit to be merged.
async function lockPair(tx: Tx, actor: Actor, id: string, intoId: string) {
  const target = await findContact(tx, actor, intoId)
  if (!target) throw invalidField('intoId', 'No such contact.')
  const locked = await lockMergeable(tx, actor, [id, target.id])
  const own = locked.find((one) => one.id === id)
  if (!own) throw notFound('contact')
  if (own.id === target.id) throw invalidField('intoId', "A contact can't be merged with itself.")
  if (own.mergedInto !== null) {
    throw new Fault('conflict', `${own.name} is merged into another contact already.`)
  }
  if (locked.some(({ mergedInto }) => mergedInto !== null)) {
    throw new Fault('conflict', 'Someone else has merged it meanwhile. Try again.')
  }
  return {
    merged: assertDefined(await findStoredContact(tx, actor, id), 'a locked contact vanished'),
    kept: assertDefined(await findStoredContact(tx, actor, target.id), 'a contact vanished'),
  }
}
