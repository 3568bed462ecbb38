// Says what a payment was for that named no invoice: it leaves the account for such payments at
// what it came there with, and pays the invoice; what does not fit is the contact's credit.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/http/errors.ts'
import { uuid } from '../../kernel/http/schemas.ts'
import type { BooksContext } from '../context.ts'
import type { JournalLine } from '../journal/journal-entry.ts'
import { findEntry, listStandingEntries } from '../journal/journal-store.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { fitting } from '../payments/book-link-payment.ts'
import { type Payment, rateBetween } from '../payments/payment.ts'
import { findPayment, findPaymentByExternalId } from '../payments/payment-store.ts'
import { postPayment } from '../payments/post-payment.ts'
import { requireMoney } from '../payments/require-money.ts'
import { lockItems } from '../payments/settle-items.ts'
import { requireRole } from '../permissions.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { grossMinor, type Movement } from './movement.ts'
import { findGivenBackCount, findLastMovement, updateMovement } from './movement-store.ts'
import { lockServiceSettings } from './service-settings-store.ts'

export const servicePaymentInput = z.strictObject({ paymentId: uuid(), documentId: uuid() })

export async function allocateServicePayment(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof servicePaymentInput>,
): Promise<Payment> {
  requireRole(actor, 'write')
  const { paymentId, documentId } = validated(servicePaymentInput, input)
  return context.database.transaction(async (tx) => {
    // Nothing of it is booked meanwhile.
    await lockServiceSettings(tx, actor)
    const movement = await requireUnassigned(tx, actor, paymentId)
    const payment = await assign(tx, context, actor, movement, documentId)
    await updateMovement(tx, actor, movement.id, { bookedPaymentId: payment.id })
    await recordAct(tx, context, actor, {
      action: 'service_money.assign',
      objectKind: 'payment',
      objectId: payment.id,
      detail: { external_id: paymentId, document_id: documentId },
    })
    return payment
  })
}

async function requireUnassigned(tx: Tx, actor: Actor, paymentId: string): Promise<Movement> {
  const kinds = ['collected', 'collection_restored'] as const
  const movement = await findLastMovement(tx, actor, paymentId, kinds)
  if (!movement) throw notFound('payment')
  if (movement.status === 'waiting') throw new Fault('conflict', 'It is not booked yet.')
  const { bookedPaymentId } = movement
  const earlier = bookedPaymentId === null ? null : await findPayment(tx, actor, bookedPaymentId)
  if (movement.status === 'known' || (earlier && !earlier.removedAt)) {
    throw new Fault('conflict', 'It is assigned already. Remove that payment first.')
  }
  if ((await findGivenBackCount(tx, actor, paymentId)) > 0) {
    const message = 'Something of it was given back. Record what is left as a payment.'
    throw new Fault('conflict', message)
  }
  return movement
}

async function assign(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  movement: Movement,
  documentId: string,
): Promise<Payment> {
  const { currency, objectId } = movement
  const booked = await requireCollected(tx, actor, objectId)
  const organisation = await findOrganisation(tx, actor)
  const date = firstOpenDay(organisation, booked.date)
  const locked = await lockItems(tx, actor, [documentId])
  const document = locked.documents.get(documentId)
  if (document?.kind !== 'invoice') throw invalidField('documentId', 'No such invoice.')
  const amountMinor = grossMinor(movement)
  const { baseCurrency } = organisation
  const { accountId } = booked.line
  const baseMinor = -booked.line.baseMinor
  const rate = rateBetween(amountMinor, currency, baseMinor, baseCurrency)
  // Only an account that money can be on gives any.
  const money = await requireMoney(tx, actor, { accountId, date, currency, amountMinor, rate })
  const isTaken = await findPaymentByExternalId(tx, actor, objectId)
  return postPayment(tx, context, actor, {
    ...money,
    ...(currency !== baseCurrency && { baseMinor, fxRate: rate }),
    direction: 'in',
    method: 'payment_link',
    control: 'receivable',
    ...{ contactId: document.contactId, date, currency, amountMinor, feeMinor: 0n },
    reference: document.number,
    externalId: isTaken ? context.ids.uuid() : objectId,
    allocations: fitting(locked, documentId, currency, amountMinor),
  })
}

// The line that stands against clearing and fees, and the day of it.
async function requireCollected(
  tx: Tx,
  actor: Actor,
  objectId: string,
): Promise<{ line: JournalLine; date: string }> {
  const standing = await listStandingEntries(tx, actor, objectId)
  const collected = standing.find(({ kind }) => kind === 'service_money.collected')
  if (!collected) throw new Fault('conflict', 'It is assigned already.')
  const { lines, date } = await findEntry(tx, actor, collected.sequence)
  const line = lines.find(({ baseMinor }) => baseMinor < 0n)
  return { line: assertDefined(line, 'a payment that is on no account'), date }
}
