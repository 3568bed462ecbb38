// The PDF of invoices and quotes on their pages.
import { beforeEach, expect, it } from 'vitest'
import { createQuote } from '../../../src/books/quotes/create-quote.ts'
import { sendQuote } from '../../../src/books/quotes/send-quote.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let viewer: AppVisitor

beforeEach(async () => {
  books = await newBooks(world())
  viewer = await appVisitor(world(), books.businessId, 'viewer')
})

async function expectPdf(page: string, name: string): Promise<void> {
  const address = `/b/${books.businessId}${page}/pdf`
  expect((await viewer.get(page)).text).toContain(`<iframe class="file-frame" src="${address}"`)
  const file = await viewer.get(`${page}/pdf`)
  expect(file.status).toBe(200)
  expect(file.text.startsWith('%PDF-')).toBe(true)
  expect(file.headers.get('content-disposition')).toContain(name)
}

it('shows the draft of an invoice', async () => {
  const { id } = await books.draft('invoice')
  await expectPdf(`/invoices/${id}`, 'invoice-draft.pdf')
})

it('shows a quote as a draft, and then as it was sent', async () => {
  const { context } = world()
  const { id: contactId } = await books.contact({ email: 'customer@example.com' })
  const lines = [{ description: 'Work', unitPrice: '100', accountId: books.account('4000') }]
  const { id } = await runOperation(createQuote, context, books.owner, { contactId, lines })
  await expectPdf(`/quotes/${id}`, 'quote-draft.pdf')
  const { number } = await runOperation(sendQuote, context, books.owner, { id })
  await expectPdf(`/quotes/${id}`, `${number}.pdf`)
})

it('leads from a journal entry of an invoice to the journal', async () => {
  const { id } = await books.draft('invoice')
  const owner = await appVisitor(world(), books.businessId)
  await owner.submit(`/invoices/${id}/issue`)
  const link = /href="[^"]*(\/journal\/\d+)"/.exec((await owner.get(`/invoices/${id}`)).text)?.[1]
  expect((await owner.get(link ?? '')).status).toBe(200)
})
