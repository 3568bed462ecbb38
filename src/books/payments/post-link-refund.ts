// Money that the payment service gave back to a customer. The invoice that it had paid is open
// again by as much: what the payment has left is used first, and then, the newest first, what it
// was used for. The fee is not returned.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import type { BooksContext } from '../context.ts'
import { amountWords } from '../input/amount-input.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { allocate } from './allocate-credit.ts'
import type { Allocation } from './allocation.ts'
import { listAllocations } from './allocation-store.ts'
import type { Payment } from './payment.ts'
import { findPaymentByExternalId } from './payment-store.ts'
import { postPayment } from './post-payment.ts'
import { insertReleases, type Release } from './refund-release-store.ts'
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

// A repeat posts nothing, and returns what the first has posted.
export type PostedRefund = { readonly refund: Payment; readonly isRepeat: boolean }

export async function postLinkRefund(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  told: LinkRefund,
): Promise<PostedRefund> {
  const earlier = await findRepeated(tx, actor, told)
  if (earlier) return { refund: earlier, isRepeat: true }
  const payment = await findPaymentByExternalId(tx, actor, told.paymentExternalId)
  if (!payment) throw notFound('payment')
  if ((told.currency ?? payment.currency) !== payment.currency) {
    throw invalidField('currency', `The payment is in ${payment.currency}.`)
  }
  return post(tx, context, actor, payment, told)
}

// A repeat changes nothing, and must say the same.
async function findRepeated(
  tx: Tx,
  actor: Actor,
  { externalId, amountMinor, currency }: LinkRefund,
): Promise<Payment | undefined> {
  const earlier = await findPaymentByExternalId(tx, actor, externalId)
  const isSame =
    earlier?.direction === 'out' &&
    earlier.amountMinor === amountMinor &&
    earlier.currency === (currency ?? earlier.currency)
  if (!earlier || isSame) return earlier
  throw new Fault('conflict', `Another payment is booked as ${externalId} already.`)
}

async function post(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  payment: Payment,
  told: LinkRefund,
): Promise<PostedRefund> {
  const { externalId, amountMinor } = told
  const uses = await listAllocations(tx, actor, payment.id)
  const documentIds = uses.map(({ debitItemId }) => debitItemId)
  const locked = await lockItems(tx, actor, [payment.id, ...documentIds])
  // Told twice at once, the second finds here what the first has booked.
  const earlier = await findRepeated(tx, actor, told)
  if (earlier) return { refund: earlier, isRepeat: true }
  const latest = uses.reduce((day, use) => (use.date > day ? use.date : day), payment.date)
  const organisation = await findOrganisation(tx, actor)
  const date = firstOpenDay(organisation, told.date > latest ? told.date : latest)
  const releases = await release(tx, context, actor, locked, payment, { amountMinor, date })
  const { contactId, currency } = payment
  // Whatever account the payment came by: the service holds less.
  const clearing = await findSystemAccount(tx, actor, 'clearing')
  const stated = { accountId: clearing.id, date, currency, amountMinor }
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
  await insertReleases(tx, actor, refund.id, releases)
  await recordAct(tx, context, actor, {
    action: 'refund.book',
    objectKind: 'payment',
    objectId: refund.id,
    detail: { externalId, paymentId: payment.id, amount: amountWords(amountMinor, currency), date },
  })
  return { refund, isRepeat: false }
}

// Makes that much of the payment free, and gives back to its documents what was too much. Returns
// what that took from each.
async function release(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  payment: Payment,
  { amountMinor, date }: { amountMinor: bigint; date: string },
): Promise<Release[]> {
  const freeMinor = () => -requireItem(locked, payment.id).openMinor
  const uses = (await listAllocations(tx, actor, payment.id)).filter(isForDocument(locked))
  const releases: Release[] = []
  for (const use of uses) {
    const before = freeMinor()
    if (before >= amountMinor) break
    const documentId = use.debitItemId
    await takeBack(tx, context, actor, locked, use, date)
    const tooMuch = before + use.amountMinor - amountMinor
    if (tooMuch > 0n) {
      const itemIds = [documentId, payment.id] as const
      await allocate(tx, context, actor, locked, { itemIds, date, amountMinor: tooMuch })
    }
    const takenMinor = tooMuch > 0n ? use.amountMinor - tooMuch : use.amountMinor
    releases.push({ documentId, amountMinor: takenMinor })
  }
  if (freeMinor() < amountMinor) {
    throw new Fault('conflict', 'More is given back than the payment has left.')
  }
  return releases
}

function isForDocument({ documents }: LockedItems) {
  return ({ debitItemId, removedAt }: Allocation) => !removedAt && documents.has(debitItemId)
}
