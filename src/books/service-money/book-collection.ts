// A payer paid: for an invoice, where the link says which one, or else for something that people
// have yet to say. What went to a split recipient is an entry of its own.
import { Fault } from '../../kernel/basics/fault.ts'
import { bookLinkPayment } from '../payments/book-link-payment.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment, findPaymentByExternalId } from '../payments/payment-store.ts'
import { grossMinor, type Movement, numbersIn } from './movement.ts'
import type { BookingStep } from './movement-step.ts'
import { findLastMovement } from './movement-store.ts'
import { findInvoiceOfOffer, listInvoicesByNumber } from './offer-invoice-store.ts'
import { postHeld, postUnassigned, reverseStanding } from './post-held.ts'
import { removeFromBooks } from './remove-from-books.ts'
import { serviceActorName } from './service-settings.ts'

// Returns the id of the payment in the books, where there is one.
export async function bookCollection(step: BookingStep): Promise<string | null> {
  const { tx, actor, movement, settings } = step
  const { shareMinor } = movement
  const earlier = await findPaymentByExternalId(tx, actor, externalId(movement))
  if (earlier) return earlier.id
  const documentId = await findInvoice(step)
  const payment = documentId === undefined ? undefined : await bookForInvoice(step, documentId)
  // A person was quicker.
  if (payment && payment.createdBy !== serviceActorName) return payment.id
  if (!payment) await bookForNothing(step)
  if (shareMinor !== 0n) {
    await postHeld(step, {
      kind: 'share.passed_on',
      description: 'Share of a split recipient',
      heldMinor: -shareMinor,
      accountId: settings.shareAccountId,
    })
  }
  return payment?.id ?? null
}

// The provider took it back: the payment never was.
export async function reverseCollection(step: BookingStep): Promise<string | null> {
  const payment = await findCollected(step, step.movement.objectId)
  if (payment && !payment.removedAt) await removeFromBooks(step, payment)
  const reversed = await reverseStanding(step, 'Payment taken back by the provider')
  if (!payment && reversed === 0) await postUnassigned(step, 'Payment taken back by the provider')
  return payment?.id ?? null
}

// What is booked of a payment of the service, by itself or by a person.
export async function findCollected(
  { tx, actor }: BookingStep,
  paymentId: string,
): Promise<Payment | undefined> {
  const kinds = ['collected', 'collection_restored'] as const
  const collection = await findLastMovement(tx, actor, paymentId, kinds)
  if (collection?.status === 'waiting') {
    throw new Fault('conflict', 'The payment that it is about waits as well.')
  }
  if (!collection?.bookedPaymentId) return findPaymentByExternalId(tx, actor, paymentId)
  return findPayment(tx, actor, collection.bookedPaymentId)
}

// By the id under which a person books it. One that came again is another payment in the books.
function externalId({ kind, objectId, id }: Movement): string {
  return kind === 'collected' ? objectId : id
}

// The one that was said to be paid with the link, or the only one that its text names.
async function findInvoice({ tx, actor, movement }: BookingStep): Promise<string | undefined> {
  const { offerId, offerText } = movement
  const said = offerId === null ? undefined : await findInvoiceOfOffer(tx, actor, offerId)
  if (said !== undefined || offerText === null) return said
  const [named, another] = await listInvoicesByNumber(tx, actor, numbersIn(offerText))
  return another === undefined ? named : undefined
}

async function bookForInvoice(step: BookingStep, documentId: string): Promise<Payment> {
  const { context, actor, movement, day } = step
  return bookLinkPayment(context, actor, {
    externalId: externalId(movement),
    documentId,
    date: day,
    currency: movement.currency,
    amountMinor: grossMinor(movement),
    feeMinor: movement.feeMinor,
  })
}

async function bookForNothing(step: BookingStep): Promise<void> {
  const { heldMinor, feeMinor, shareMinor, offerText } = step.movement
  const description = `Payment: ${offerText ?? 'nothing says what for'}`
  await postHeld(step, {
    kind: 'service_money.collected',
    // By letters: half of one could not be hashed as it is kept.
    description: [...description].slice(0, descriptionMax).join(''),
    heldMinor: heldMinor + shareMinor,
    feeMinor,
    accountId: step.settings.unassignedAccountId,
  })
}

const descriptionMax = 500
