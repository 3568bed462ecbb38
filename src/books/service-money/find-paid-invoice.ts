// The paid invoice for which a payment link or code was made: the one that it was linked to, or the
// only one that its text names. The text counts only if the amount is that of the invoice, because
// a word of a title may look like a number.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { Document } from '../documents/document.ts'
import { findDocument } from '../documents/document-store.ts'
import { numbersIn } from './movement.ts'
import { findInvoiceOfOffer, listInvoicesByNumber } from './offer-invoice-store.ts'

export type PaidOffer = {
  readonly offerId: string
  readonly text: string
  readonly currency: string
  // Undefined if the payer says how much.
  readonly fixedMinor: bigint | undefined
}

export async function findPaidInvoice(
  sql: Sql,
  tenant: Tenant,
  offer: PaidOffer,
): Promise<Document | undefined> {
  const linkedId = await findInvoiceOfOffer(sql, tenant, offer.offerId)
  const invoice =
    linkedId === undefined
      ? await findNamed(sql, tenant, offer)
      : await findDocument(sql, tenant, linkedId)
  return invoice?.status === 'paid' ? invoice : undefined
}

async function findNamed(
  sql: Sql,
  tenant: Tenant,
  { text, currency, fixedMinor }: PaidOffer,
): Promise<Document | undefined> {
  const numbers = numbersIn(text)
  if (fixedMinor === undefined || numbers.length === 0) return undefined
  const [namedId, anotherId] = await listInvoicesByNumber(sql, tenant, numbers)
  if (namedId === undefined || anotherId !== undefined) return undefined
  const invoice = await findDocument(sql, tenant, namedId)
  const isSame = invoice?.totalMinor === fixedMinor && invoice.currency === currency
  return isSame ? invoice : undefined
}
