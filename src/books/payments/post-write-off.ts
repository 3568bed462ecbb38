// What write-offs of both sides have in common: an amount of a document is given up, at what it is
// carried at, so that nothing is realised by it. It is booked like a payment that no money came
// with, and is removed like one.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import { amountWords, minorOf } from '../input/amount-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { carriedBaseMinor, type OpenItem } from './open-item.ts'
import type { Payment } from './payment.ts'
import { postPayment } from './post-payment.ts'
import { type LockedItems, requireItem, requireOpen, requireUsableOn } from './settle-items.ts'
import { type TaxPart, writeOffLines } from './settlement-posting.ts'
import { listTaxParts, listWrittenOffParts } from './tax-part-store.ts'
import { type SignedAmount, taxRelief } from './tax-relief.ts'

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
  const { baseCurrency } = await findOrganisation(tx, actor)
  const part = {
    amountMinor: sign * amountMinor,
    baseMinor: carriedBaseMinor(item, sign * amountMinor, baseCurrency),
  }
  const taxes = claimsTaxRelief ? await taxesWithin(tx, actor, item, part) : []
  const payment = await postPayment(tx, context, actor, {
    id,
    direction: sign > 0n ? 'in' : 'out',
    method: 'write_off',
    contactId,
    date,
    currency,
    amountMinor,
    fxRate,
    baseMinor: sign * part.baseMinor,
    accountId,
    ...{ keptIn: currency, accountCurrency: null, accountAmountMinor: null },
    feeMinor: 0n,
    reference: null,
    externalId: null,
    allocations: [{ itemId: documentId, amountMinor }],
    // What claims relief is told apart, also where its share of the tax is nothing.
    entryKind: claimsTaxRelief ? 'debt.written_off_net' : 'debt.written_off',
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

async function taxesWithin(
  tx: Tx,
  actor: Actor,
  item: OpenItem,
  part: SignedAmount,
): Promise<TaxPart[]> {
  const booked = await listTaxParts(tx, actor, item.id)
  const givenUp = await listWrittenOffParts(tx, actor, item.id)
  return taxRelief({ whole: item, booked, givenUp }, part)
}
