// A refund by the merchant service. The invoice that was paid is open again by as much: the unused
// part of the payment is taken first, then its allocations, newest first. The fee is not returned.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import type { BooksContext } from '../context.ts'
import { amountWords } from '../input/amount-input.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { stopReminders } from '../reminders/stop-reminders.ts'
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
  // The refund of the merchant service. It is posted once.
  readonly externalId: string
  // The payment that it refunds.
  readonly paymentExternalId: string
  readonly date: string
  // The default is that of the payment.
  readonly currency?: string
  readonly amountMinor: bigint
}

// A repeat posts nothing and returns the first posting.
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

// A repeat changes nothing and must have the same content.
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
  throw new Fault('conflict', `Another payment is already posted as ${externalId}.`)
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
  // If reported twice at once, the second call finds the posting of the first.
  const earlier = await findRepeated(tx, actor, told)
  if (earlier) return { refund: earlier, isRepeat: true }
  const latest = uses.reduce((day, use) => (use.date > day ? use.date : day), payment.date)
  const organisation = await findOrganisation(tx, actor)
  const date = firstOpenDay(organisation, told.date > latest ? told.date : latest)
  const releases = await release(tx, context, actor, locked, payment, { amountMinor, date })
  const { contactId, currency } = payment
  // Regardless of the payment's account: the service holds less.
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
  // The customer paid and got the money back: a person decides whether to ask for it again.
  for (const documentId of new Set(releases.map((one) => one.documentId))) {
    if (locked.documents.get(documentId)?.kind !== 'invoice') continue
    await stopReminders(tx, context, actor, { documentId }, 'reopened', null)
  }
  await recordAct(tx, context, actor, {
    action: 'refund.book',
    objectKind: 'payment',
    objectId: refund.id,
    detail: { externalId, paymentId: payment.id, amount: amountWords(amountMinor, currency), date },
  })
  return { refund, isRepeat: false }
}

// Releases that much of the payment, and reduces the allocations as needed. Returns how much that
// took from each document.
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
    throw new Fault('conflict', 'The refund is more than the remaining payment.')
  }
  return releases
}

function isForDocument({ documents }: LockedItems) {
  return ({ debitItemId, removedAt }: Allocation) => !removedAt && documents.has(debitItemId)
}
