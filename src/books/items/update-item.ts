// Changes the defaults of later lines. Existing documents stay as they are.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changedFields } from '../input/changed-fields.ts'
import { requireDefaults } from '../input/require-defaults.ts'
import { type Item, itemChanges } from './item.ts'
import { findItem, findItemIdByCode, updateItem as update } from './item-store.ts'

export const updateItem = defineOperation({
  name: 'update-item',
  summary: 'Change an item',
  kind: 'write',
  input: z.strictObject({ id: uuid(), ...itemChanges.shape }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, ...wanted }): Promise<Item> {
    return context.database.transaction(async (tx) => {
      const item = await findItem(tx, actor, id)
      if (!item) throw notFound('item')
      const changes = changedFields(item, wanted)
      if (Object.keys(changes).length === 0) {
        context.call.nothingChanged()
        return item
      }
      if (changes.code && (await findItemIdByCode(tx, actor, changes.code))) {
        throw new Fault('conflict', `There is already an item with the code ${changes.code}.`)
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
  },
})
