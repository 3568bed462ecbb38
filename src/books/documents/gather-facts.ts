// What posting and printing a document need besides its own row.
import type { Actor } from '../../kernel/auth/actor.ts'
import { findBusiness } from '../../kernel/auth/business-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findSystemAccount, listAccountsToPost } from '../accounts/account-store.ts'
import { findContact } from '../contacts/contact-store.ts'
import type { Organisation } from '../settings/organisation.ts'
import { listTaxCodesByIds } from '../taxes/tax-code-store.ts'
import { buildSnapshot } from './build-snapshot.ts'
import type { Document, DocumentLine } from './document.ts'
import type { DocumentSnapshot, SnapshotPage } from './document-snapshot.ts'
import { findDocument, listDocumentLines } from './document-store.ts'

export type DocumentFacts = Awaited<ReturnType<typeof gatherFacts>>

export async function gatherFacts(sql: Sql | Tx, actor: Actor, document: Document) {
  const { creditsDocumentId } = document
  const [lines, contact, controlAccount, business, brand, credited] = await Promise.all([
    listDocumentLines(sql, actor, document.id),
    findContact(sql, actor, document.contactId),
    findSystemAccount(sql, actor, controlSubtypes[document.kind]),
    findBusiness(sql, actor.businessId),
    findBrand(sql, actor.businessId),
    creditsDocumentId === null ? undefined : findDocument(sql, actor, creditsDocumentId),
  ])
  const taxCodeIds = namedBy(lines, 'taxCodeId')
  const [accounts, taxCodes] = await Promise.all([
    listAccountsToPost(sql, actor, { ids: namedBy(lines, 'accountId'), taxCodeIds }),
    listTaxCodesByIds(sql, actor, taxCodeIds),
  ])
  return {
    lines,
    contact: assertDefined(contact, 'a document without its contact'),
    controlAccount,
    creditedNumber: credited?.number ?? null,
    brand,
    businessName: assertDefined(business, 'a document without its business').name,
    accounts,
    taxCodes,
  }
}

const controlSubtypes = {
  invoice: 'receivable',
  credit_note: 'receivable',
  bill: 'payable',
  supplier_credit: 'payable',
  expense_claim: 'expense_claims',
} as const

function namedBy(lines: readonly DocumentLine[], field: 'accountId' | 'taxCodeId'): string[] {
  return [...new Set(lines.flatMap((line) => line[field] ?? []))]
}

export function freezeDocument(
  { clock }: Pick<Context, 'clock'>,
  { environment }: Actor,
  organisation: Organisation,
  { lines, contact, businessName, brand, creditedNumber, taxCodes }: DocumentFacts,
  document: Document,
  page?: SnapshotPage,
): DocumentSnapshot {
  const isCredit = document.kind === 'credit_note' || document.kind === 'supplier_credit'
  return buildSnapshot({
    ...document,
    dueDate: isCredit ? null : document.dueDate,
    isSandbox: environment === 'test',
    frozenAt: clock.now(),
    organisation,
    businessName,
    brand,
    creditedNumber,
    contact,
    lines,
    taxCodes: new Map(taxCodes.map((code) => [code.id, code])),
    page,
  })
}
