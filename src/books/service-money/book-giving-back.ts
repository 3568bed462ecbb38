// A payer got money back, because the business gave it or because their bank took it. What it paid
// is open again. When that did not happen after all, the payment is used for what it had paid.
import { Fault } from '../../kernel/basics/fault.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { allocate } from '../payments/allocate-credit.ts'
import { listAllocations } from '../payments/allocation-store.ts'
import { bookLinkRefund } from '../payments/book-link-refund.ts'
import type { Payment } from '../payments/payment.ts'
import { findPaymentByExternalId } from '../payments/payment-store.ts'
import { lockItems } from '../payments/settle-items.ts'
import { findCollected } from './book-collection.ts'
import type { BookingStep } from './movement-step.ts'
import { findLastMovement } from './movement-store.ts'
import { postHeld, postUnassigned, reverseStanding } from './post-held.ts'
import { removeFromBooks } from './remove-from-books.ts'
import { serviceActorName } from './service-settings.ts'

export async function bookGivingBack(step: BookingStep): Promise<string | null> {
  const { tx, actor, movement, settings } = step
  const { paymentId, heldMinor, kind } = movement
  const payment = paymentId === null ? undefined : await findCollected(step, paymentId)
  const refund = payment && !payment.removedAt ? await refundOf(step, payment) : undefined
  const clearing = await findSystemAccount(tx, actor, 'clearing')
  if (refund && refund.createdBy !== serviceActorName) return refund.id
  // The payment is not used for an invoice, or only by way of the account for such payments.
  if (refund?.accountId !== clearing.id) {
    await postHeld(step, {
      kind: 'service_money.given_back',
      description: kind === 'refunded' ? 'Refund' : 'Chargeback',
      heldMinor,
      accountId: settings.unassignedAccountId,
    })
  }
  return refund?.id ?? null
}

// Undefined where the payment has not as much left: it was charged back and refunded, or people
// have paid it back themselves. The money is gone all the same.
async function refundOf(step: BookingStep, payment: Payment): Promise<Payment | undefined> {
  const { context, actor, movement, day } = step
  if (payment.externalId === null) return undefined
  try {
    return await bookLinkRefund(context, actor, {
      externalId: movement.objectId,
      paymentExternalId: payment.externalId,
      date: day,
      amountMinor: -movement.heldMinor,
    })
  } catch (error) {
    if (error instanceof Fault && error.kind === 'conflict') return undefined
    throw error
  }
}

export async function reverseGivingBack(step: BookingStep): Promise<string | null> {
  const { tx, actor, movement } = step
  const given = await findLastMovement(tx, actor, movement.objectId, ['refunded', 'charged_back'])
  if (given?.status === 'waiting') throw new Fault('conflict', 'What it undoes waits as well.')
  const refund = await findPaymentByExternalId(tx, actor, movement.objectId)
  if (refund && !refund.removedAt) await takeBackRefund(step, refund)
  const reversed = await reverseStanding(step, 'The payer got nothing back after all')
  if (!refund && reversed === 0) {
    await postUnassigned(step, 'The payer got nothing back after all')
  }
  return refund?.id ?? null
}

async function takeBackRefund(step: BookingStep, refund: Payment): Promise<void> {
  const { tx, context, actor, movement } = step
  const { paymentId } = movement
  const payment = paymentId === null ? undefined : await findCollected(step, paymentId)
  const uses = payment ? await listAllocations(tx, actor, payment.id) : []
  const documentIds = uses
    .filter(({ removedAt }) => removedAt)
    .map(({ debitItemId }) => debitItemId)
  const ids = [refund.id, ...(payment ? [payment.id] : []), ...documentIds]
  // All at once, and before the journal: the order in which everybody locks.
  const { documents } = await lockItems(tx, actor, ids)
  const date = await removeFromBooks(step, refund)
  if (!payment) return
  for (const documentId of documents.keys()) {
    try {
      await context.database.transaction(async (inner) => {
        const locked = await lockItems(inner, actor, [payment.id, documentId])
        await allocate(inner, context, actor, locked, { itemIds: [payment.id, documentId], date })
      })
    } catch (error) {
      // Paid otherwise, void or used up meanwhile: it stays the contact's credit.
      if (!(error instanceof Fault)) throw error
    }
  }
}
