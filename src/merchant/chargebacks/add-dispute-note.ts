// A person notes what shows that a disputed payment was right, such as a proof of delivery. Notes
// stay in Tillbook: the answer itself is given at the provider.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { requirePerson, writerRoles } from '../../kernel/operations/permission.ts'
import { someText, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { DisputeNote } from './dispute.ts'
import { findDispute, insertDisputeNote } from './dispute-store.ts'

export const addDisputeNote = defineOperation({
  name: 'add-dispute-note',
  summary: 'Note evidence about a disputed payment; sends nothing to the provider',
  kind: 'write',
  input: z.strictObject({ id: uuid(), text: someText(4000) }),
  scopes: [],
  roles: writerRoles,
  peopleOnly: true,
  run: (context, actor, { id, text }): Promise<DisputeNote> =>
    context.database.transaction(async (tx) => {
      const { personId } = requirePerson(actor)
      if (!(await findDispute(tx, actor, id))) throw notFound('dispute')
      const note: DisputeNote = {
        id: context.ids.uuid(),
        chargebackId: id,
        personId,
        text,
        createdAt: context.clock.now(),
      }
      await insertDisputeNote(tx, actor, note)
      await recordAct(tx, context, actor, {
        action: 'chargeback.note',
        objectKind: 'chargeback',
        objectId: id,
        detail: { noteId: note.id },
      })
      return note
    }),
})
