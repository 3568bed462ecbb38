// Money that the payment service gave back to a customer. The invoice that it had paid is open
// again by as much: what the payment has left is used first, and then, the newest first, what it
// was used for. The fee is not returned.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { amountWords } from '../amount-input.ts'
import type { BooksContext } from '../context.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { requireRole } from '../permissions.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { allocate } from './allocate-credit.ts'
import type { Allocation } from './allocation.ts'
import { listAllocations } from './allocation-store.ts'
import type { Payment } from './payment.ts'
import { findPaymentByExternalId } from './payment-store.ts'
import { postPayment } from './post-payment.ts'
import { takeBack } from './remove-allocation.ts'
import { requireMoney } from './require-money.ts'
import { type LockedItems, lockItems, requireItem } from './settle-items.ts'

export type LinkRefund = {
  // The refund of the payment service: booked once.
  readonly externalId: string
  // The payment that it gives back.
  readonly paymentExternalId: string
  readonly date: string
  // That of the payment, where it is not said.
  readonly currency?: string
  readonly amountMinor: bigint
}

export async function bookLinkRefund(
  context: BooksContext,
  actor: Actor,
  told: LinkRefund,
): Promise<Payment> {
  requireRole(actor, 'administer')
  return context.database.transaction(async (tx) => {
    const earlier = await findPaymentByExternalId(tx, actor, told.externalId)
    if (earlier) return earlier
    const payment = await findPaymentByExternalId(tx, actor, told.paymentExternalId)
    if (!payment || payment.removedAt) throw notFound('payment')
    if ((told.currency ?? payment.currency) !== payment.currency) {
      throw invalidField('currency', `The payment is in ${payment.currency}.`)
    }
    return book(tx, context, actor, payment, told)
  })
}

async function book(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  payment: Payment,
  { externalId, amountMinor, ...told }: LinkRefund,
): Promise<Payment> {
  const uses = await listAllocations(tx, actor, payment.id)
  const documentIds = uses.map(({ debitItemId }) => debitItemId)
  const locked = await lockItems(tx, actor, [payment.id, ...documentIds])
  // Told twice at once, the second finds here what the first has booked.
  const earlier = await findPaymentByExternalId(tx, actor, externalId)
  if (earlier) return earlier
  const latest = uses.reduce((day, use) => (use.date > day ? use.date : day), payment.date)
  const organisation = await findOrganisation(tx, actor)
  const date = firstOpenDay(organisation, told.date > latest ? told.date : latest)
  await release(tx, context, actor, locked, payment, { amountMinor, date })
  const { contactId, currency, accountId } = payment
  const stated = { accountId, date, currency, amountMinor }
  const refund = await postPayment(tx, context, actor, {
    direction: 'out',
    method: 'payment_link',
    contactId,
    date,
    currency,
    amountMinor,
    ...(await requireMoney(tx, actor, stated)),
    feeMinor: 0n,
    reference: payment.reference,
    externalId,
    allocations: [{ itemId: payment.id, amountMinor }],
  })
  await recordAct(tx, context, actor, {
    action: 'refund.book',
    objectKind: 'payment',
    objectId: refund.id,
    detail: { externalId, paymentId: payment.id, amount: amountWords(amountMinor, currency), date },
  })
  return refund
}

// Makes that much of the payment free, and gives back to its documents what was too much.
async function release(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  payment: Payment,
  { amountMinor, date }: { amountMinor: bigint; date: string },
): Promise<void> {
  const freeMinor = () => -requireItem(locked, payment.id).openMinor
  const uses = (await listAllocations(tx, actor, payment.id)).filter(isForDocument(locked))
  for (const use of uses) {
    if (freeMinor() >= amountMinor) return
    const before = freeMinor()
    await takeBack(tx, context, actor, locked, use, date)
    const tooMuch = before + use.amountMinor - amountMinor
    if (tooMuch <= 0n) continue
    const itemIds = [use.debitItemId, payment.id] as const
    await allocate(tx, context, actor, locked, { itemIds, date, amountMinor: tooMuch })
  }
  if (freeMinor() < amountMinor) {
    throw new Fault('conflict', 'More is given back than the payment has left.')
  }
}

function isForDocument({ documents }: LockedItems) {
  return ({ debitItemId, removedAt }: Allocation) => !removedAt && documents.has(debitItemId)
}
