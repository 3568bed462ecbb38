// Removes a payment on a day in an open period: all entries about it and its allocations are
// reversed line by line, and its documents are open again.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { listUnreversedEntries } from '../journal/journal-store.ts'
import { reverseEntry } from '../journal/post-entry.ts'
import type { Allocation } from './allocation.ts'
import { listAllocations } from './allocation-store.ts'
import { updateOpenItem } from './open-item-store.ts'
import type { Payment } from './payment.ts'
import { findPayment, updatePaymentRemoved } from './payment-store.ts'
import { settledAs, takeBack } from './remove-allocation.ts'
import { type LockedItems, lockItems, removeAllocated } from './settle-items.ts'

const paymentRemovalInput = z.strictObject({ paymentId: uuid(), date: bookDay(), ...oldDate })

// A repeat changes nothing.
export const removePayment = defineOperation({
  name: 'remove-payment',
  summary: 'Remove a payment',
  kind: 'write',
  input: paymentRemovalInput,
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { paymentId, date, confirmsOldDate }): Promise<Payment> {
    const posting = { ...context, confirmsOldDate }
    return context.database.transaction(async (tx) => {
      const { payment, isRepeat } = await takePaymentOut(tx, posting, actor, paymentId, date)
      if (isRepeat) context.call.nothingChanged()
      return payment
    })
  },
})

// Also for payments that the merchant service reversed.
export async function takePaymentOut(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  paymentId: string,
  date: string,
): Promise<{ readonly payment: Payment; readonly isRepeat: boolean }> {
  const locked = await lockUses(tx, actor, paymentId)
  const payment = await findPayment(tx, actor, paymentId)
  if (!payment) throw notFound('payment')
  if (payment.removedAt) return { payment, isRepeat: true }
  await remove(tx, context, actor, locked, payment, date)
  await recordAct(tx, context, actor, {
    action: 'payment.remove',
    objectKind: 'payment',
    objectId: paymentId,
    detail: { date },
  })
  const removed = await findPayment(tx, actor, paymentId)
  return { payment: assertDefined(removed, 'a payment vanished'), isRepeat: false }
}

// The documents must be locked before the payment, whose allocations name them.
async function lockUses(tx: Tx, actor: Actor, paymentId: string): Promise<LockedItems> {
  const uses = await listAllocations(tx, actor, paymentId)
  return lockItems(tx, actor, [paymentId, ...uses.map((use) => otherSide(use, paymentId))])
}

async function remove(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  payment: Payment,
  date: string,
): Promise<void> {
  const uses = await listAllocations(tx, actor, payment.id)
  if (uses.some((use) => !locked.items.has(otherSide(use, payment.id)))) {
    throw new Fault('conflict', 'The payment has just been used. Look at it and try again.')
  }
  const last = uses
    .flatMap((use) => [use.date, use.removedOn ?? use.date])
    .reduce(later, payment.date)
  if (date < last) {
    throw invalidField('date', `The payment last moved on ${last}. Choose that day or a later one.`)
  }
  for (const use of uses.filter(({ removedAt }) => !removedAt)) {
    if (isBookedElsewhere(use, payment)) {
      await takeBack(tx, context, actor, locked, use, date)
    } else {
      const as = await settledAs(tx, actor, use)
      await removeAllocated(tx, context, actor, locked, use, { date, as })
    }
  }
  await updateOpenItem(tx, actor, payment.id, { openMinor: 0n, openBaseMinor: 0n })
  await updatePaymentRemoved(tx, actor, payment.id, context.clock.now())
  context.failpoint('removal.posting')
  // Each unreversed entry is reversed once, and nothing is computed: the payment's own, which
  // includes its first allocations, and those that allocated it later or removed an allocation.
  const own = uses.filter((use) => !isBookedElsewhere(use, payment)).map(({ id }) => id)
  for (const sourceId of [...own, payment.id]) {
    for (const { sequence } of await listUnreversedEntries(tx, actor, sourceId)) {
      const description = `Payment of ${payment.date} removed`
      await reverseEntry(tx, context, actor, {
        sequence,
        kind: 'payment.removed',
        date,
        description,
      })
    }
  }
}

function later(one: string, other: string): string {
  return one > other ? one : other
}

// In the entry of another payment, which stays: a refund of this one.
function isBookedElsewhere({ bookedWith }: Allocation, payment: Payment): boolean {
  return bookedWith !== null && bookedWith !== payment.id
}

function otherSide({ debitItemId, creditItemId }: Allocation, id: string): string {
  return debitItemId === id ? creditItemId : debitItemId
}
