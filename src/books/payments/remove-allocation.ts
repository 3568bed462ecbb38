// Removes an allocation: the amount is open again on both sides, at exactly its book value. A
// payment stays as the contact's credit.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import type { Settlement } from '../documents/settle-document.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { negateLines } from '../journal/journal-entry.ts'
import { listUnreversedEntries } from '../journal/journal-store.ts'
import { postEntry, reverseEntry } from '../journal/post-entry.ts'
import type { Allocation } from './allocation.ts'
import { findAllocation } from './allocation-store.ts'
import { findPayment } from './payment-store.ts'
import {
  findSettlementAccounts,
  type LockedItems,
  lockItems,
  removeAllocated,
} from './settle-items.ts'
import { allocationLines } from './settlement-posting.ts'

const allocationRemovalInput = z.strictObject({ allocationId: uuid(), date: bookDay(), ...oldDate })

// A repeat changes nothing.
export const removeAllocation = defineOperation({
  name: 'remove-allocation',
  summary: 'Remove an allocation',
  kind: 'write',
  input: allocationRemovalInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { allocationId, date, confirmsOldDate }): Promise<Allocation> {
    return context.database.transaction(async (tx) => {
      const found = await findAllocation(tx, actor, allocationId)
      if (!found) throw notFound('allocation')
      const locked = await lockItems(tx, actor, [found.debitItemId, found.creditItemId])
      const allocation = assertDefined(
        await findAllocation(tx, actor, allocationId),
        'an allocation vanished',
      )
      if (allocation.removedAt) {
        context.call.nothingChanged()
        return allocation
      }
      const posting = { ...context, confirmsOldDate }
      await takeBack(tx, posting, actor, locked, allocation, date)
      await recordAct(tx, context, actor, {
        action: 'allocation.remove',
        objectKind: 'allocation',
        objectId: allocation.id,
        detail: { date },
      })
      return assertDefined(await findAllocation(tx, actor, allocationId), 'an allocation vanished')
    })
  },
})

export async function takeBack(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  allocation: Allocation,
  date: string,
): Promise<void> {
  if (date < allocation.date) {
    throw invalidField(
      'date',
      `It was allocated on ${allocation.date}. Choose that day or a later one.`,
    )
  }
  const as = await settledAs(tx, actor, allocation)
  if (as === 'writtenOffMinor') {
    throw new Fault('conflict', 'It is a write-off. Remove the whole write-off instead.')
  }
  const accounts = await findSettlementAccounts(tx, actor)
  const released = await removeAllocated(tx, context, actor, locked, allocation, { date, as })
  const kind = 'allocation.removed'
  const description = 'Allocation removed'
  if (allocation.bookedWith === null) {
    const [own] = await listUnreversedEntries(tx, actor, allocation.id)
    const { sequence } = assertDefined(own, 'an allocation without its entry')
    await reverseEntry(tx, context, actor, { sequence, kind, date, description })
    return
  }
  // It was posted together with a payment, whose entry stays.
  await postEntry(tx, context, actor, {
    kind,
    sourceId: allocation.id,
    reversesSequence: null,
    date,
    description,
    lines: negateLines(allocationLines(released, accounts)),
  })
}

// What it was for the documents on its two sides.
export async function settledAs(
  tx: Tx,
  tenant: Tenant,
  { debitItemId, creditItemId }: Allocation,
): Promise<keyof Settlement> {
  const payment =
    (await findPayment(tx, tenant, creditItemId)) ?? (await findPayment(tx, tenant, debitItemId))
  if (!payment) return 'creditedMinor'
  return payment.method === 'write_off' ? 'writtenOffMinor' : 'paidMinor'
}
