// What a credit note or supplier credit credits. It only says so: the amount is used with
// `allocate-credit`, for this document or for another.
import { Fault, invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Document } from './document.ts'
import type { DocumentKind } from './document-status.ts'
import { findDocument } from './document-store.ts'

type Crediting = Pick<Document, 'kind' | 'contactId' | 'currency'> & {
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
  { kind, contactId, currency, creditsDocumentId }: Crediting,
): Promise<Document | undefined> {
  if (creditsDocumentId === null) return undefined
  const refuse = (message: string) => invalidField('creditsDocumentId', message)
  const wanted = creditedKinds[kind]
  if (!wanted) throw refuse('Only a credit note or a supplier credit credits a document.')
  const credited = await findDocument(sql, tenant, creditsDocumentId)
  if (credited?.kind !== wanted) throw refuse(`No such ${wanted}.`)
  if (credited.contactId !== contactId) throw refuse(`The ${wanted} is of another contact.`)
  if (credited.currency !== currency) {
    throw refuse(`The ${wanted} is in ${credited.currency}, the credit in ${currency}.`)
  }
  if (!credited.postedAt) throw refuse(`The ${wanted} is not in the books yet.`)
  if (credited.voidedAt) throw refuse(`The ${wanted} is void.`)
  return credited
}

// Once more when the credit enters the books, since its document may be void by then.
export async function requireStillCredited(
  sql: Sql | Tx,
  tenant: Tenant,
  document: Document,
): Promise<void> {
  try {
    await requireCredited(sql, tenant, document)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault('conflict', 'The document that it credits is void. Name another, or none.')
  }
}
