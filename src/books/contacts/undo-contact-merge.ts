// Takes two merged contacts apart. What the one took over from the other stays.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { Contact } from './contact.ts'
import { findStoredContact } from './contact-store.ts'
import { findTie, lockMergeable, updateUnmerged } from './merged-contact-store.ts'

export const undoContactMerge = defineOperation({
  name: 'undo-contact-merge',
  summary: 'Take two merged contacts apart',
  kind: 'write',
  // Of the contact that was merged into the other.
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Contact> {
    return context.database.transaction(async (tx) => {
      const [merged] = await lockMergeable(tx, actor, [id])
      if (!merged) throw notFound('contact')
      const { name, mergedInto } = merged
      if (mergedInto === null) throw new Fault('conflict', `${name} is not merged.`)
      const tie = await findTie(tx, actor, id)
      if (tie) {
        throw new Fault(
          'conflict',
          `A payment or credit of one settles ${tie.number ?? 'a payment'} of the other. ` +
            'Take that back first.',
        )
      }
      await updateUnmerged(tx, actor, id)
      await recordAct(tx, context, actor, {
        action: 'contact.unmerge',
        objectKind: 'contact',
        objectId: mergedInto,
        detail: { mergedId: id, mergedName: name },
      })
      return assertDefined(await findStoredContact(tx, actor, id), 'a locked contact vanished')
    })
  },
})
