// Changes what later lines say; documents that name the item stay as they are.
import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { requireDefaults } from '../input/require-defaults.ts'
import { requireRole } from '../operations/permissions.ts'
import { type Item, itemChanges } from './item.ts'
import { findItem, findItemIdByCode, updateItem as update } from './item-store.ts'

export async function updateItem(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: z.input<typeof itemChanges>,
): Promise<Item> {
  requireRole(actor, 'write')
  const wanted = validated(itemChanges, input)
  return context.database.transaction(async (tx) => {
    const item = await findItem(tx, actor, id)
    if (!item) throw notFound('item')
    const changes = changedFields(item, wanted)
    if (Object.keys(changes).length === 0) return item
    if (changes.code && (await findItemIdByCode(tx, actor, changes.code))) {
      throw new Fault('conflict', `There is an item with the code ${changes.code} already.`)
    }
    await requireDefaults(tx, actor, changes)
    await update(tx, actor, id, changes)
    await recordAct(tx, context, actor, {
      action: 'item.update',
      objectKind: 'item',
      objectId: id,
      detail: changes,
    })
    return { ...item, ...changes }
  })
}
