// A credit note names the invoice that it credits, and a supplier credit the bill.
import { beforeEach, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import type { DocumentKind } from '../../../src/books/documents/document-status.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
let books: Books
let contactId: string

beforeEach(async () => {
  books = await newBooks(world())
  contactId = (await books.contact()).id
})

const issue = (id: string) => runOperation(issueDocument, context(), books.owner, { id })
const draft = async (kind: DocumentKind) => (await books.draft(kind, { contactId })).id
const credit = (creditsDocumentId: string, kind: DocumentKind = 'credit_note') =>
  books.draft(kind, { contactId, creditsDocumentId })

it('is shown by the interface, and printed with its number', async () => {
  const invoice = await issue(await draft('invoice'))
  const { id } = await credit(invoice.id)
  await issue(id)
  const path = `/books/api/v1/invoices/${id}`
  const { body } = await world().call('GET', path, { key: await books.key() })
  expect(body.credits_document_id).toBe(invoice.id)
  const [row] = await world().database.sql`
    select snapshot ->> 'creditedNumber' as number
    from books.documents
    where id = ${id}`
  expect(row).toEqual({ number: invoice.number })
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('is a bill for a supplier credit', async () => {
  const bill = await draft('bill')
  await runOperation(approveDocument, context(), books.owner, { id: bill })
  const { id, creditsDocumentId } = await credit(bill, 'supplier_credit')
  expect(creditsDocumentId).toBe(bill)
  await runOperation(approveDocument, context(), books.owner, { id })
})

it('is a document of the same contact and currency that is in the books', async () => {
  const invoice = await draft('invoice')
  const other = (await books.draft('invoice')).id
  await issue(other)
  await books.rate('USD', '2020-01-01', '0.9')
  const dollars = await books.draft('invoice', { contactId, currency: 'USD' })
  await issue(dollars.id)
  expect(await refusal(credit(invoice))).toBe('The invoice is not in the books yet.')
  expect(await refusal(credit(other))).toBe('The invoice is of another contact.')
  expect(await refusal(credit(dollars.id))).toBe('The invoice is in USD, the credit in EUR.')
  expect(await refusal(credit(invoice, 'supplier_credit'))).toBe('No such bill.')
  expect(await refusal(credit(contactId))).toBe('No such invoice.')
  const message = 'Only a credit note or a supplier credit credits a document.'
  expect(await refusal(credit(other, 'invoice'))).toBe(message)
})

it('may be void by the time the credit is issued, and is then left out', async () => {
  const invoice = await issue(await draft('invoice'))
  const { id, version } = await credit(invoice.id)
  await runOperation(voidDocument, context(), books.owner, { id: invoice.id })
  const message = 'The document that it credits is void. Name another, or none.'
  expect(await refusal(issue(id))).toBe(message)
  const line = { description: 'Work', unitPrice: '100', accountId: books.account('4000') }
  const form = { id, version, contactId, lines: [line] }
  const edited = await runOperation(editDocument, context(), books.owner, form)
  expect(edited.creditsDocumentId).toBeNull()
  await issue(id)
})

it('stays while a credit in the books names it', async () => {
  const invoice = await issue(await draft('invoice'))
  const { id } = await credit(invoice.id)
  const { number } = await issue(id)
  const annul = (documentId: string) =>
    runOperation(voidDocument, context(), books.owner, { id: documentId })
  const message = `${number} credits ${invoice.number}. Void ${number} first.`
  expect(await refusal(annul(invoice.id))).toBe(message)
  await annul(id)
  await annul(invoice.id)
})

it('is not credited by more than its total', async () => {
  const invoice = await issue(await draft('invoice'))
  const part = (unitPrice: string) =>
    books.draft('credit_note', {
      ...{ contactId, creditsDocumentId: invoice.id },
      lines: [{ description: 'Work', unitPrice, accountId: books.account('4000') }],
    })
  await issue((await part('60')).id)
  const more = await part('40.01')
  expect(await refusal(issue(more.id))).toBe(
    `The credits of ${invoice.number} would come to 100.01 EUR, more than its total of 100.00 EUR. ` +
      'Lower the amount, or name no document.',
  )
  const both = await Promise.allSettled([
    issue((await part('30')).id),
    issue((await part('30')).id),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('is not younger than its credit', async () => {
  const { id } = await books.draft('invoice', { contactId, date: '2026-02-10' })
  await issue(id)
  const older = { contactId, creditsDocumentId: id, date: '2026-02-09' }
  const message = "The invoice is of 2026-02-10, and its credit can't be older."
  expect(await refusal(books.draft('credit_note', older))).toBe(message)
})

it('is not that of another contact: the invariants say so', async () => {
  const invoice = await issue(await draft('invoice'))
  const { id } = await credit(invoice.id)
  const { id: stranger } = await books.contact()
  const { sql } = world().database
  await sql`update books.documents set contact_id = ${stranger} where id = ${id}`
  expect(await brokenInvariants(world().database)).toEqual(['I14.36'])
})
