import type { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { requireDefaults } from '../input/require-defaults.ts'
import { type Item, itemInput } from './item.ts'
import { findItemIdByCode, insertItem } from './item-store.ts'

export const createItem = defineOperation({
  name: 'create-item',
  summary: 'Add an item',
  kind: 'write',
  input: itemInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, wanted): Promise<Item> {
    return context.database.transaction((tx) => addItem(tx, context, actor, wanted))
  },
})

// The input has passed `itemInput`.
export async function addItem(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  wanted: z.output<typeof itemInput>,
): Promise<Item> {
  if (await findItemIdByCode(tx, actor, wanted.code)) {
    throw new Fault('conflict', `There is already an item with the code ${wanted.code}.`)
  }
  await requireDefaults(tx, actor, wanted)
  const item: Item = {
    id: context.ids.uuid(),
    code: wanted.code,
    name: wanted.name,
    description: wanted.description ?? null,
    salesUnitPrice: wanted.salesUnitPrice ?? null,
    purchaseUnitPrice: wanted.purchaseUnitPrice ?? null,
    salesAccountId: wanted.salesAccountId ?? null,
    purchaseAccountId: wanted.purchaseAccountId ?? null,
    salesTaxCodeId: wanted.salesTaxCodeId ?? null,
    purchaseTaxCodeId: wanted.purchaseTaxCodeId ?? null,
    active: true,
    createdAt: context.clock.now(),
  }
  await insertItem(tx, actor, item)
  await recordAct(tx, context, actor, {
    action: 'item.create',
    objectKind: 'item',
    objectId: item.id,
    detail: { code: item.code, name: item.name },
  })
  return item
}
