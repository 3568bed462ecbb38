// A payer got money back, by a refund or a chargeback. The invoice that the payment had paid is
// open again. When the refund or chargeback is reversed, the payment is allocated to it again.
import { Fault } from '../../kernel/basics/fault.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { allocate } from '../payments/allocate-credit.ts'
import type { Payment } from '../payments/payment.ts'
import { findPaymentByExternalId } from '../payments/payment-store.ts'
import { postLinkRefund } from '../payments/post-link-refund.ts'
import { listReleases, type Release } from '../payments/refund-release-store.ts'
import { lockItems, requireItem } from '../payments/settle-items.ts'
import { findCollected } from './book-collection.ts'
import { findManualBooking } from './find-manual-booking.ts'
import { findUnassignedPayment } from './find-unassigned-payment.ts'
import type { Booked, BookingStep } from './movement-step.ts'
import { findLastMovement } from './movement-store.ts'
import {
  baseValueOf,
  postHeld,
  postUnassigned,
  requireUsable,
  reverseUnreversed,
} from './post-held.ts'
import { removeFromBooks } from './remove-from-books.ts'

export const refundedKind = 'service_money.given_back'

export async function bookRefundOrChargeback(step: BookingStep): Promise<Booked> {
  const { tx, actor, movement } = step
  const { paymentId, objectId, heldMinor, kind } = movement
  const payment = paymentId === null ? undefined : await findCollected(step, paymentId)
  const refund = (await findManualBooking(step, objectId)) ?? (await refundOf(step, payment))
  const clearing = await findSystemAccount(tx, actor, 'clearing')
  if (refund?.accountId === clearing.id) return { paymentId: refund.id }
  await postHeld(step, {
    kind: refundedKind,
    description: kind === 'refunded' ? 'Refund' : 'Chargeback',
    heldMinor,
    accountId: refund?.accountId ?? (await unassignedOf(step)),
  })
  return { paymentId: refund?.id ?? null }
}

// The account on which the payment is, regardless of the current settings.
async function unassignedOf(step: BookingStep): Promise<string> {
  const { tx, actor, movement, settings } = step
  const { paymentId } = movement
  const stands = paymentId === null ? undefined : await findUnassignedPayment(tx, actor, paymentId)
  return stands?.line.accountId ?? (await requireUsable(step, settings.unassignedAccountId))
}

// Undefined if the payment was not posted for an invoice, or has too little left: it was charged
// back and refunded, or people have refunded it themselves. The money is gone in any case.
async function refundOf(
  step: BookingStep,
  payment: Payment | undefined,
): Promise<Payment | undefined> {
  const { context, actor, movement, day } = step
  const { objectId, currency, heldMinor } = movement
  if (!payment || payment.removedAt || payment.externalId === null) return undefined
  if ((await baseValueOf(step, heldMinor)) === 0n) return undefined
  try {
    const told = {
      externalId: objectId,
      paymentExternalId: payment.externalId,
      date: day,
      currency,
      amountMinor: -heldMinor,
    }
    const { refund } = await context.database.transaction((inner) =>
      postLinkRefund(inner, context, actor, told),
    )
    return refund
  } catch (error) {
    if (error instanceof Fault && error.kind === 'conflict') return undefined
    throw error
  }
}

export async function reverseGivingBack(step: BookingStep): Promise<Booked> {
  const { tx, actor, movement } = step
  const { objectId } = movement
  const kinds = ['refunded', 'charged_back'] as const
  const given = await findLastMovement(tx, actor, objectId, kinds, movement)
  const standing = await findPaymentByExternalId(tx, actor, objectId)
  if (standing) await takeBackRefund(step, standing)
  const reversed = await reverseUnreversed(step, 'Refund or chargeback reversed')
  // Or people have already removed it.
  const paymentId = standing?.id ?? given?.bookedPaymentId ?? null
  if (paymentId === null && reversed === 0) {
    await postUnassigned(step, 'Refund or chargeback reversed')
  }
  return { paymentId }
}

async function takeBackRefund(step: BookingStep, refund: Payment): Promise<void> {
  const { tx, actor, movement } = step
  const { paymentId } = movement
  const payment = paymentId === null ? undefined : await findCollected(step, paymentId)
  const releases = await listReleases(tx, actor, refund.id)
  const documentIds = releases.map(({ documentId }) => documentId)
  // All at once, and before the journal: the usual lock order.
  await lockItems(tx, actor, [refund.id, ...(payment ? [payment.id] : []), ...documentIds])
  const date = await removeFromBooks(step, refund)
  if (!payment || payment.removedAt) return
  for (const release of releases) await payAgain(step, payment, release, date)
}

// As much as the refund had taken from it, if that is still open.
async function payAgain(
  { context, actor }: BookingStep,
  payment: Payment,
  { documentId, amountMinor }: Release,
  date: string,
): Promise<void> {
  const itemIds = [payment.id, documentId] as const
  try {
    await context.database.transaction(async (inner) => {
      const locked = await lockItems(inner, actor, itemIds)
      const freeMinor = -requireItem(locked, payment.id).openMinor
      const openMinor = requireItem(locked, documentId).openMinor
      const most = [freeMinor, openMinor].reduce(smaller, amountMinor)
      if (most <= 0n) return
      await allocate(inner, context, actor, locked, { itemIds, date, amountMinor: most })
    })
  } catch (error) {
    // Void, or usable only later: it stays the contact's credit.
    if (!(error instanceof Fault)) throw error
  }
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
