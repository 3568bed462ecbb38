// What write-offs of both sides have in common: an amount of a document is given up, at what it is
// carried at, so that nothing is realised by it. It is booked like a payment that no money came
// with, and is removed like one.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { Decimal, divideRounded } from '../../kernel/money/decimal.ts'
import { amountWords, minorOf } from '../amount-input.ts'
import type { BooksContext } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { carriedBaseMinor } from './open-item.ts'
import type { Payment } from './payment.ts'
import { postPayment } from './post-payment.ts'
import { type LockedItems, requireItem, requireOpen, requireUsableOn } from './settle-items.ts'
import { type TaxPart, writeOffLines } from './settlement-posting.ts'
import { listTaxParts } from './tax-part-store.ts'

export type WantedWriteOff = {
  readonly id: string
  readonly documentId: string
  readonly date: string
  // All that is open, where none is said.
  readonly amount?: string | undefined
  // Whether the tax in it is taken back; the rest goes to the account.
  readonly claimsTaxRelief: boolean
  readonly accountId: string
}

// The document is locked.
export async function postWriteOff(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  locked: LockedItems,
  wanted: WantedWriteOff,
): Promise<Payment> {
  const { id, documentId, date, amount, claimsTaxRelief, accountId } = wanted
  const item = requireItem(locked, documentId)
  const { contactId, currency, fxRate } = item
  const sign = item.amountMinor > 0n ? 1n : -1n
  const amountMinor =
    amount === undefined ? sign * item.openMinor : minorOf('amount', amount, currency)
  requireOpen(locked, item, amountMinor === 0n ? 1n : amountMinor)
  await requireUsableOn(tx, actor, locked, item, amountMinor, date)
  const document = assertDefined(locked.documents.get(documentId), 'a document that is not locked')
  const taxes = claimsTaxRelief ? await taxesWithin(tx, actor, document, amountMinor) : []
  const { baseCurrency } = await findOrganisation(tx, actor)
  const payment = await postPayment(tx, context, actor, {
    id,
    direction: sign > 0n ? 'in' : 'out',
    method: 'write_off',
    contactId,
    date,
    currency,
    amountMinor,
    fxRate,
    baseMinor: sign * carriedBaseMinor(item, sign * amountMinor, baseCurrency),
    accountId,
    accountCurrency: currency,
    feeMinor: 0n,
    reference: null,
    externalId: null,
    allocations: [{ itemId: documentId, amountMinor }],
    linesOf: (own, ownItem) => writeOffLines(own, ownItem, taxes),
  })
  await recordAct(tx, context, actor, {
    action: `${document.kind}.write_off`,
    objectKind: 'document',
    objectId: documentId,
    detail: { amount: amountWords(amountMinor, currency), date, claimsTaxRelief },
  })
  return payment
}

// Of each tax that was booked, the share that the amount has in the total, in both currencies. What
// was given up before is counted along, so that the shares of many parts come to that of the whole,
// to the minor unit.
async function taxesWithin(
  tx: Tx,
  actor: Actor,
  { id, totalMinor, writtenOffMinor }: Document,
  amountMinor: bigint,
): Promise<TaxPart[]> {
  const upTo = (bookedMinor: bigint, givenUpMinor: bigint) =>
    divideRounded(new Decimal(-bookedMinor * givenUpMinor, 0), new Decimal(totalMinor, 0), 0).digits
  const shareOf = (bookedMinor: bigint) =>
    upTo(bookedMinor, writtenOffMinor + amountMinor) - upTo(bookedMinor, writtenOffMinor)
  const booked = await listTaxParts(tx, actor, id)
  return booked.map((part) => ({
    ...part,
    amountMinor: shareOf(part.amountMinor),
    baseMinor: shareOf(part.baseMinor),
  }))
}
