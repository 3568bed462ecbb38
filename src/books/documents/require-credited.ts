// What a credit note or supplier credit credits. It only says so: the amount is used with
// `allocate-credit`, for this document or for another.
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { lockSameContact } from '../contacts/merged-contact-store.ts'
import { amountWords } from '../input/amount-input.ts'
import type { Document } from './document.ts'
import type { DocumentKind } from './document-status.ts'
import { findDocument, listCreditsOf, lockDocument } from './document-store.ts'

type Crediting = Pick<Document, 'kind' | 'contactId' | 'currency' | 'date'> & {
  readonly creditsDocumentId: string | null
}

const creditedKinds: Partial<Record<DocumentKind, DocumentKind>> = {
  credit_note: 'invoice',
  supplier_credit: 'bill',
}

// The document that is credited, where one is named.
export async function requireCredited(
  sql: Sql | Tx,
  tenant: Tenant,
  { kind, contactId, currency, date, creditsDocumentId }: Crediting,
): Promise<Document | undefined> {
  if (creditsDocumentId === null) return undefined
  const refuse = (message: string) => invalidField('creditsDocumentId', message)
  const wanted = creditedKinds[kind]
  if (!wanted) throw refuse('Only a credit note or a supplier credit credits a document.')
  const credited = await findDocument(sql, tenant, creditsDocumentId)
  if (credited?.kind !== wanted) throw refuse(`No such ${wanted}.`)
  if (!(await lockSameContact(sql, tenant, credited.contactId, contactId))) {
    throw refuse(`The ${wanted} is of another contact.`)
  }
  if (credited.currency !== currency) {
    throw refuse(`The ${wanted} is in ${credited.currency}, the credit in ${currency}.`)
  }
  if (!credited.postedAt) throw refuse(`The ${wanted} is not in the books yet.`)
  if (credited.voidedAt) throw refuse(`The ${wanted} is void.`)
  if (date < credited.date) {
    throw refuse(`The ${wanted} is of ${credited.date}, and its credit can't be older.`)
  }
  return credited
}

// Once more when the credit enters the books, since its document may be void by then. The document
// stays locked, so that it is not made void meanwhile and two credits are counted one after the
// other.
export async function requireStillCredited(
  tx: Tx,
  tenant: Tenant,
  document: Document,
): Promise<void> {
  const credited = await lockCredited(tx, tenant, document)
  if (!credited) return
  const earlier = await listCreditsOf(tx, tenant, credited.id)
  const sumMinor = earlier.reduce((sum, { totalMinor }) => sum + totalMinor, document.totalMinor)
  if (sumMinor <= credited.totalMinor) return
  const { currency, number } = credited
  const words = (amountMinor: bigint) => amountWords(amountMinor, currency)
  const message =
    `The credits of ${number} would come to ${words(sumMinor)}, more than its total of ` +
    `${words(credited.totalMinor)}. Lower the amount, or name no document.`
  throw new Fault('conflict', message)
}

async function lockCredited(
  tx: Tx,
  tenant: Tenant,
  document: Document,
): Promise<Document | undefined> {
  const { creditsDocumentId } = document
  if (creditsDocumentId === null) return undefined
  await lockDocument(tx, tenant, creditsDocumentId)
  try {
    return await requireCredited(tx, tenant, document)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault('conflict', 'The document that it credits is void. Name another, or none.')
  }
}

// What is credited stays while a credit names it. The caller has locked the document.
export async function requireUncredited(
  tx: Tx,
  tenant: Tenant,
  { id, number }: Pick<Document, 'id' | 'number'>,
): Promise<void> {
  const [credit] = await listCreditsOf(tx, tenant, id)
  if (!credit) return
  const message = `${credit.number} credits ${number}. Void ${credit.number} first.`
  throw new Fault('conflict', message)
}
