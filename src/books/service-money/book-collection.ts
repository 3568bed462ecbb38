// A payer paid: for the invoice of the link, or for something that people must still assign. The
// share of a split recipient is a separate entry.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { notify } from '../../kernel/notices/notify.ts'
import { findDocument } from '../documents/document-store.ts'
import {
  findInvoiceCharge,
  type InvoiceCharge,
  updateChargeEnded,
} from '../invoice-pages/invoice-charge-store.ts'
import { listAllocations } from '../payments/allocation-store.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment, findPaymentByExternalId } from '../payments/payment-store.ts'
import { postLinkPayment } from '../payments/post-link-payment.ts'
import { lockItems } from '../payments/settle-items.ts'
import { findManualBooking } from './find-manual-booking.ts'
import { collectedKind, findUnassignedPayment } from './find-unassigned-payment.ts'
import { collectionKinds, grossMinor, type Movement, numbersIn } from './movement.ts'
import type { Booked, BookingStep } from './movement-step.ts'
import { findLastMovement } from './movement-store.ts'
import { findInvoiceOfOffer, listInvoicesByNumber } from './offer-invoice-store.ts'
import { paidInvoiceNotice } from './paid-invoice-notice.ts'
import {
  baseValueOf,
  postHeld,
  postShare,
  postUnassigned,
  requireUsable,
  reverseUnreversed,
} from './post-held.ts'
import { removeFromBooks } from './remove-from-books.ts'
import { serviceActorName } from './service-settings.ts'

export async function bookCollection(step: BookingStep): Promise<Booked> {
  const { tx, context, actor, movement } = step
  // Whatever becomes of it, the charge of an invoice has ended.
  await updateChargeEnded(tx, actor, movement.objectId, context.clock.now())
  const known = await findManualBooking(step, externalId(movement))
  if (known) return { paymentId: known.id }
  const charge = await findInvoiceCharge(tx, actor, movement.objectId)
  const documentId = await findInvoice(step, charge)
  const payment = documentId === undefined ? undefined : await bookForInvoice(step, documentId)
  // A person was faster.
  if (payment && payment.createdBy !== serviceActorName) return { paymentId: payment.id }
  if (!payment) await bookForNothing(step)
  if (payment && charge) await tell(step, charge, payment)
  await postShare(step)
  return { paymentId: payment?.id ?? null }
}

// The provider reversed the payment, as if it had never happened.
export async function reverseCollection(step: BookingStep): Promise<Booked> {
  const { tx, actor, movement } = step
  const payment = await findCollected(step, movement.objectId)
  const isUnassigned = (await findUnassignedPayment(tx, actor, movement.objectId)) !== undefined
  if (payment && !payment.removedAt) await removeFromBooks(step, payment)
  const reversed = await reverseUnreversed(step, 'Payment reversed by the provider')
  if (!payment && reversed === 0) await postUnassigned(step, 'Payment reversed by the provider')
  const isTakenOut = !isUnassigned && payment !== undefined && payment.removedAt !== null
  return { paymentId: payment?.id ?? null, isTakenOut }
}

// The posting of a payment of the service, automatic or by a person; a removed one only if there is
// no current one.
export async function findCollected(
  { tx, actor, movement }: BookingStep,
  paymentId: string,
): Promise<Payment | undefined> {
  const collection = await findLastMovement(tx, actor, paymentId, collectionKinds, movement)
  if (collection?.status === 'waiting') {
    throw new Fault('conflict', 'Its payment is waiting too.')
  }
  const own = collection?.bookedPaymentId
  const booked = own ? await findPayment(tx, actor, own) : undefined
  if (booked && !booked.removedAt) return booked
  return (await findPaymentByExternalId(tx, actor, paymentId)) ?? booked
}

// The id under which a person would post it. A restored payment is another payment in the books.
function externalId({ kind, objectId, id }: Movement): string {
  return kind === 'collected' ? objectId : id
}

// The invoice that the payer paid on its page: if nothing is open any more, the payment is the
// customer's credit. Otherwise the invoice that was linked, or the only one that the text names.
// Links and codes can be paid by anyone and more than once: if nothing is open any more, the
// payment is not the customer's.
async function findInvoice(
  step: BookingStep,
  charge: InvoiceCharge | undefined,
): Promise<string | undefined> {
  const { tx, actor, movement } = step
  const documentId = charge?.documentId ?? (await findNamedInvoice(step))
  if (documentId === undefined) return undefined
  // A payment that is worth zero in the base currency pays nothing.
  if ((await baseValueOf(step, grossMinor(movement))) === 0n) return undefined
  if (charge) return documentId
  const { items } = await lockItems(tx, actor, [documentId])
  const item = items.get(documentId)
  return item && item.openMinor > 0n ? documentId : undefined
}

async function findNamedInvoice({ tx, actor, movement }: BookingStep): Promise<string | undefined> {
  const { offerId, offerText } = movement
  const said = offerId === null ? undefined : await findInvoiceOfOffer(tx, actor, offerId)
  if (said !== undefined || offerText === null) return said
  const [named, another] = await listInvoicesByNumber(tx, actor, numbersIn(offerText))
  return another === undefined ? named : undefined
}

async function bookForInvoice(step: BookingStep, documentId: string): Promise<Payment> {
  const { tx, context, actor, movement, day } = step
  return postLinkPayment(tx, context, actor, {
    externalId: externalId(movement),
    documentId,
    date: day,
    currency: movement.currency,
    amountMinor: grossMinor(movement),
    feeMinor: movement.feeMinor,
  })
}

async function tell(step: BookingStep, charge: InvoiceCharge, payment: Payment): Promise<void> {
  const { tx, context, actor } = step
  const { id: documentId, number } = assertDefined(
    await findDocument(tx, actor, charge.documentId),
    'a charge of no invoice',
  )
  const { currency, amountMinor, reference } = payment
  const used = await listAllocations(tx, actor, payment.id)
  const usedMinor = used.reduce((sum, one) => sum + one.amountMinor, 0n)
  await notify(
    tx,
    context,
    actor,
    paidInvoiceNotice({
      ...{ paymentId: charge.paymentId, documentId, number: number ?? reference ?? '' },
      ...{ currency, amountMinor, creditMinor: amountMinor - usedMinor },
    }),
  )
}

async function bookForNothing(step: BookingStep): Promise<void> {
  const { heldMinor, feeMinor, shareMinor, offerText } = step.movement
  const description = `Payment: ${offerText ?? 'not assigned'}`
  await postHeld(step, {
    kind: collectedKind,
    // Cut at whole characters: half of one would be stored as another character than was hashed.
    description: [...description].slice(0, descriptionMax).join(''),
    heldMinor: heldMinor + shareMinor,
    feeMinor,
    accountId: await requireUsable(step, step.settings.unassignedAccountId),
  })
}

const descriptionMax = 500
