// Shared by both kinds of write-off: an amount of a document is written off at book value, so that
// nothing is realised. It is posted like a payment without money, and removed like one.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import { amountWords, minorOf } from '../input/amount-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { withheldAccounts } from '../taxes/tax-code.ts'
import { listTaxCodesByIds } from '../taxes/tax-code-store.ts'
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
  // The default is the whole open amount.
  readonly amount?: string | undefined
  // Whether tax relief is claimed; the rest goes to the account.
  readonly claimsTaxRelief: boolean
  readonly accountId: string
}

// The caller has locked the document.
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
  const taxes = await taxesWithin(tx, actor, item, part, claimsTaxRelief)
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
    entryKind: entryKind(claimsTaxRelief, taxes),
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

// Write-offs with tax relief have their own kind, even if their tax share is zero. So have those
// that take back withheld tax alone.
function entryKind(claimsTaxRelief: boolean, taxes: readonly TaxPart[]): string {
  if (claimsTaxRelief) return 'debt.written_off_net'
  return taxes.length > 0 ? 'debt.written_off_withheld' : 'debt.written_off'
}

// Charged tax is taken back if relief is claimed. Withheld tax always is: who does not pay has not
// withheld anything either, so the tax office owes nothing.
async function taxesWithin(
  tx: Tx,
  actor: Actor,
  item: OpenItem,
  part: SignedAmount,
  claimsTaxRelief: boolean,
): Promise<TaxPart[]> {
  const booked = await listTaxParts(tx, actor, item.id)
  const isWithheld = await findWithheld(tx, actor, booked)
  const charged = booked.filter((tax) => claimsTaxRelief && !isWithheld(tax))
  const withheld = booked.filter(isWithheld)
  const relief = async (taxes: readonly TaxPart[], kinds: 'relieved' | 'all') => {
    if (taxes.length === 0) return []
    const givenUp = await listWrittenOffParts(tx, actor, item.id, kinds)
    return taxRelief({ whole: item, booked: taxes, givenUp }, part)
  }
  const taken = [...(await relief(charged, 'relieved')), ...(await relief(withheld, 'all'))]
  // In the order in which they were booked.
  return taken.toSorted((one, other) => indexOf(booked, one) - indexOf(booked, other))
}

function indexOf(booked: readonly TaxPart[], tax: TaxPart): number {
  return booked.findIndex(
    ({ accountId, taxCodeId }) => accountId === tax.accountId && taxCodeId === tax.taxCodeId,
  )
}

async function findWithheld(tx: Tx, actor: Actor, booked: readonly TaxPart[]) {
  const ids = booked.flatMap(({ taxCodeId }) => taxCodeId ?? [])
  const codes = await listTaxCodesByIds(tx, actor, ids)
  const withheld = new Set(
    codes.flatMap((code) => withheldAccounts(code).map((accountId) => `${code.id} ${accountId}`)),
  )
  return ({ taxCodeId, accountId }: TaxPart) => withheld.has(`${taxCodeId} ${accountId}`)
}
