// A customer's payment through a payment link. The merchant service holds the money, so it is on
// the clearing account, less the fee, until it is paid out. The service has the money in any case,
// so nothing about the invoice refuses it: if it does not fit, because the invoice is paid, void or
// in another currency, it becomes the contact's credit.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import type { BooksContext } from '../context.ts'
import { amountWords } from '../input/amount-input.ts'
import { firstOpenDay } from '../journal/lock-dates.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { Payment } from './payment.ts'
import { postPayment, type WantedUse } from './post-payment.ts'
import { requireMoney } from './require-money.ts'
import { type LockedItems, lockItems } from './settle-items.ts'

export type LinkPayment = {
  // The payment of the merchant service. It is posted once, however often it is reported.
  readonly externalId: string
  // The invoice of the link.
  readonly documentId: string
  readonly date: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
}

export async function postLinkPayment(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { documentId, ...told }: LinkPayment,
): Promise<Payment> {
  const { externalId, currency, amountMinor, feeMinor } = told
  const date = firstOpenDay(await findOrganisation(tx, actor), told.date)
  const locked = await lockItems(tx, actor, [documentId])
  const document = locked.documents.get(documentId)
  if (!document) throw notFound('invoice')
  const clearing = await findSystemAccount(tx, actor, 'clearing')
  const stated = { accountId: clearing.id, date, currency, amountMinor }
  const payment = await postPayment(tx, context, actor, {
    direction: 'in',
    method: 'payment_link',
    contactId: document.contactId,
    date,
    currency,
    amountMinor,
    ...(await requireMoney(tx, actor, stated)),
    feeMinor,
    reference: document.number,
    externalId,
    control: 'receivable',
    allocations: fitting(locked, documentId, currency, amountMinor),
  })
  await recordAct(tx, context, actor, {
    action: 'payment.book',
    objectKind: 'payment',
    objectId: payment.id,
    detail: { externalId, documentId, amount: amountWords(amountMinor, currency), date },
  })
  return payment
}

// As much of the payment as the invoice has open.
export function fitting(
  { documents, items }: LockedItems,
  documentId: string,
  currency: string,
  amountMinor: bigint,
): WantedUse[] {
  const item = items.get(documentId)
  if (documents.get(documentId)?.kind !== 'invoice') return []
  if (!item || item.currency !== currency || item.openMinor <= 0n) return []
  return [
    {
      itemId: documentId,
      amountMinor: item.openMinor < amountMinor ? item.openMinor : amountMinor,
    },
  ]
}
