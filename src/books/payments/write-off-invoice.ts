// Gives up what is still open of an invoice. The net is a bad debt; the tax in it comes back from
// the authority where relief is claimed, and is a bad debt too where it is not.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { validated } from '../../kernel/http/errors.ts'
import { day, uuid } from '../../kernel/http/schemas.ts'
import { Decimal, divideRounded } from '../../kernel/money/decimal.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { amountWords } from '../amount-input.ts'
import type { BooksContext } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { requireRole } from '../permissions.ts'
import type { Payment } from './payment.ts'
import { postPayment } from './post-payment.ts'
import { lockItems, requireItem, requireOpen, requireUsableOn } from './settle-items.ts'
import { type TaxPart, writeOffLines } from './settlement-posting.ts'
import { listTaxParts } from './tax-part-store.ts'

export const writeOffInput = z.strictObject({
  documentId: uuid(),
  date: day(),
  claimsTaxRelief: z.boolean().default(false),
})

export async function writeOffInvoice(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof writeOffInput>,
): Promise<Payment> {
  requireRole(actor, 'approve')
  const wanted = validated(writeOffInput, input)
  return context.database.transaction((tx) => writeOff(tx, context, actor, wanted))
}

async function writeOff(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { documentId, date, claimsTaxRelief }: z.output<typeof writeOffInput>,
): Promise<Payment> {
  const locked = await lockItems(tx, actor, [documentId])
  const document = locked.documents.get(documentId)
  if (!document) throw notFound('invoice')
  if (document.kind !== 'invoice') throw new Fault('conflict', 'Only invoices are written off.')
  const item = requireItem(locked, documentId)
  const amountMinor = item.openMinor
  requireOpen(locked, item, amountMinor === 0n ? 1n : amountMinor)
  await requireUsableOn(tx, actor, locked, item, amountMinor, date)
  const badDebts = await findSystemAccount(tx, actor, 'bad_debt')
  const taxes = claimsTaxRelief ? await taxesWithin(tx, actor, document, amountMinor) : []
  const payment = await postPayment(tx, context, actor, {
    direction: 'in',
    method: 'write_off',
    contactId: item.contactId,
    date,
    currency: item.currency,
    amountMinor,
    fxRate: item.fxRate,
    baseMinor: item.openBaseMinor,
    accountId: badDebts.id,
    accountCurrency: item.currency,
    feeMinor: 0n,
    reference: null,
    externalId: null,
    allocations: [{ itemId: documentId, amountMinor }],
    linesOf: (own, ownItem) => writeOffLines(own, ownItem, taxes),
  })
  await recordAct(tx, context, actor, {
    action: 'invoice.write_off',
    objectKind: 'document',
    objectId: documentId,
    detail: { amount: amountWords(amountMinor, item.currency), date, claimsTaxRelief },
  })
  return payment
}

// Of each tax that was booked, the share that the open amount has in the total.
async function taxesWithin(
  tx: Tx,
  actor: Actor,
  { id, totalMinor }: Document,
  openMinor: bigint,
): Promise<TaxPart[]> {
  const booked = await listTaxParts(tx, actor, id)
  return booked.map((part) => ({
    ...part,
    amountMinor: divideRounded(
      new Decimal(-part.amountMinor * openMinor, 0),
      new Decimal(totalMinor, 0),
      0,
    ).digits,
  }))
}
