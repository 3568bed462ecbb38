// What the payment service did, booked by a person: on a day that has come, and not beside what has
// booked itself, which would stand on clearing twice.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import { databaseInside, type Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import { requireNotFuture } from '../journal/future-dates.ts'
import { listUnreversedEntries } from '../journal/journal-store.ts'
import { requireRole } from '../operations/permissions.ts'
import { bookLinkPayment, type LinkPayment } from '../payments/book-link-payment.ts'
import { bookLinkRefund, type LinkRefund } from '../payments/book-link-refund.ts'
import { bookPayout, type Payout } from '../payments/book-payout.ts'
import type { Payment } from '../payments/payment.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { refundedKind } from './book-refund-or-chargeback.ts'
import { bookingProblem } from './find-manual-booking.ts'
import { findUnassignedPayment } from './find-unassigned-payment.ts'
import type { Movement } from './movement.ts'
import { findLastMovement, updateMovement } from './movement-store.ts'
import { findBookedCollection, requireReportedPayment } from './require-reported-payment.ts'
import { lockServiceSettings } from './service-settings-store.ts'

export async function bookPaymentByHand(
  context: BooksContext,
  actor: Actor,
  input: LinkPayment,
): Promise<Payment> {
  const told = { ...input, externalId: sameId(input.externalId) }
  return alone(context, actor, told.date, async (tx, inside) => {
    const movement = isUuid(told.externalId)
      ? await requireReportedPayment(tx, actor, told.externalId)
      : undefined
    if (movement) await requireBookable(tx, actor, movement, told)
    const payment = await bookLinkPayment(inside, actor, told)
    if (movement && movement.status !== 'waiting') {
      await updateMovement(tx, actor, movement.id, { bookedPaymentId: payment.id })
    }
    return payment
  })
}

async function requireBookable(
  tx: Tx,
  actor: Actor,
  movement: Movement,
  told: LinkPayment,
): Promise<void> {
  if (await findUnassignedPayment(tx, actor, movement.objectId)) {
    throw new Fault(
      'conflict',
      'It has booked itself, as a payment to assign. Say its invoice with assign-service-payment.',
    )
  }
  const standing = await findBookedCollection(tx, actor, movement)
  if (standing && standing.externalId !== told.externalId) {
    throw new Fault('conflict', 'It is booked already. Remove that payment first.')
  }
  requireSame(movement, told)
}

export async function bookRefundByHand(
  context: BooksContext,
  actor: Actor,
  input: LinkRefund & { readonly currency: string },
): Promise<Payment> {
  const externalId = sameId(input.externalId)
  const told = { ...input, externalId, paymentExternalId: sameId(input.paymentExternalId) }
  return alone(context, actor, told.date, async (tx, inside) => {
    if (isUuid(externalId)) await requireRefundable(tx, actor, told)
    return bookLinkRefund(inside, actor, told)
  })
}

async function requireRefundable(
  tx: Tx,
  actor: Actor,
  told: LinkRefund & { readonly currency: string },
): Promise<void> {
  const kinds = ['refunded', 'charged_back', 'refund_reversed', 'chargeback_won'] as const
  const movement = await findLastMovement(tx, actor, told.externalId, kinds)
  if (!movement) return
  if (movement.kind === 'refund_reversed' || movement.kind === 'chargeback_won') {
    throw new Fault('conflict', 'The payer got nothing back after all.')
  }
  const standing = await listUnreversedEntries(tx, actor, movement.objectId)
  if (standing.some(({ kind }) => kind === refundedKind)) {
    throw new Fault('conflict', 'It has booked itself, out of the payments to assign.')
  }
  requireSame(movement, { ...told, feeMinor: 0n })
}

export async function bookPayoutByHand(
  context: BooksContext,
  actor: Actor,
  told: Payout,
): Promise<bigint> {
  return alone(context, actor, told.date, async (tx, inside) => {
    const kinds = ['paid_out', 'payout_reversed', 'payout_restored'] as const
    const movement = await findLastMovement(tx, actor, told.id, kinds)
    if (movement?.kind === 'payout_reversed') {
      throw new Fault('conflict', 'The payout did not arrive.')
    }
    if (movement) requireSame(movement, { ...told, feeMinor: 0n })
    return bookPayout(inside, actor, told)
  })
}

function requireSame(movement: Movement, told: Parameters<typeof bookingProblem>[1]): void {
  const problem = bookingProblem(movement, told)
  if (problem !== undefined) throw new Fault('conflict', problem)
}

// The service writes its ids in small letters; people may copy them otherwise.
function sameId(externalId: string): string {
  return isUuid(externalId) ? externalId.toLowerCase() : externalId
}

async function alone<T>(
  context: BooksContext,
  actor: Actor,
  date: string,
  work: (tx: Tx, inside: BooksContext) => Promise<T>,
): Promise<T> {
  requireRole(actor, 'administer')
  return context.database.transaction(async (tx) => {
    requireNotFuture(await findOrganisation(tx, actor), context.clock.now(), date)
    // Nothing of it is booked meanwhile.
    await lockServiceSettings(tx, actor)
    return work(tx, { ...context, database: databaseInside(tx) })
  })
}
