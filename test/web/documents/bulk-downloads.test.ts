// Chosen documents of a list as one PDF and as a ZIP.
import { beforeEach, describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { getDocumentFile } from '../../../src/books/documents/get-document-file.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { drawnDocumentsMax } from '../../../src/books/downloads/draw-documents.ts'
import {
  exportDocuments,
  exportedDocumentsMax,
} from '../../../src/books/downloads/export-documents.ts'
import { createQuote } from '../../../src/books/quotes/create-quote.ts'
import { sendQuote } from '../../../src/books/quotes/send-quote.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { infoOf, textIn } from '../../support/pdf.ts'
import { useWorld } from '../../support/world.ts'
import { filesIn } from '../../support/zip.ts'

const world = useWorld()
let books: Books
let viewer: AppVisitor

beforeEach(async () => {
  books = await newBooks(world())
  viewer = await appVisitor(world(), books.businessId, 'viewer')
})

const chosen = (ids: readonly string[]) => ids.map((id) => `document=${id}`).join('&')
const download = (list: string, type: 'pdf' | 'zip', ids: readonly string[]) =>
  viewer.get(`${list}/bulk/download.${type}?${chosen(ids)}`)
const pageCount = (pdf: Uint8Array) => Number(/Pages:\s+(\d+)/.exec(infoOf(pdf))?.[1])

async function issued(input = {}): Promise<{ id: string; number: string }> {
  const { id } = await books.draft('invoice', input)
  const { number } = await runOperation(issueDocument, world().context, books.owner, { id })
  return { id, number: number ?? '' }
}

const manyLines = () =>
  Array.from({ length: 60 }, (_, index) => ({
    description: `Day ${index + 1}`,
    unitPrice: '100',
    accountId: books.account('4000'),
  }))

it('is offered in each list, to viewers too', async () => {
  await books.draft('invoice')
  const { text } = await viewer.get('/invoices')
  expect(text).toContain(`formaction="/b/${books.businessId}/invoices/bulk/download.pdf"`)
  expect(text).toContain(`formaction="/b/${books.businessId}/invoices/bulk/download.zip"`)
})

describe('one PDF', () => {
  it('has all pages of each document, numbered by document, in the order of the list', async () => {
    const [first, long, last] = [
      await issued(),
      await issued({ lines: manyLines() }),
      await issued(),
    ]
    const answer = await download('/invoices', 'pdf', [first.id, long.id, last.id])
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="invoices.pdf"')
    const alone = await runOperation(getDocumentFile, world().context, books.owner, { id: long.id })
    const longCount = pageCount(alone.content)
    expect(longCount).toBeGreaterThan(1)
    expect(pageCount(answer.bytes)).toBe(longCount + 2)
    const text = textIn(answer.bytes)
    expect(text.match(/Page 1 of 1/g)).toHaveLength(2)
    expect(text).toContain(`Page ${longCount} of ${longCount}`)
    const order = [first, long, last].map(({ number }) => text.indexOf(number))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).not.toContain(-1)
  })

  it('marks drafts and void documents', async () => {
    const draft = await books.draft('invoice')
    const gone = await issued()
    await runOperation(voidDocument, world().context, books.owner, { id: gone.id })
    const text = textIn((await download('/invoices', 'pdf', [draft.id, gone.id])).bytes)
    expect(text).toContain('Draft invoice')
    expect(text.match(/VOID: DO NOT PAY/g)).toHaveLength(1)
  })

  it('takes all that match the filters', async () => {
    for (const _ of Array.from({ length: 3 })) await books.draft('bill')
    await books.draft('supplier_credit')
    const { bytes } = await viewer.get('/bills/bulk/download.pdf?all=yes&kind=bill')
    expect(pageCount(bytes)).toBe(3)
    expect(textIn(bytes)).not.toContain('Supplier credit')
  })

  it('refuses too many documents, and says what to do', async () => {
    const { id } = await books.draft('invoice')
    const ids = Array.from({ length: drawnDocumentsMax + 1 }, () => world().context.ids.uuid())
    const answer = await download('/invoices', 'pdf', [id, ...ids].slice(0, drawnDocumentsMax + 1))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(
      `A PDF has at most ${drawnDocumentsMax} documents. Choose fewer, or download a ZIP.`,
    )
  })

  it('refuses too many lines', async () => {
    const lines = Array.from({ length: 4 }, manyLines).flat().slice(0, 200)
    const ids: string[] = []
    for (const _ of Array.from({ length: 11 })) {
      ids.push((await books.draft('invoice', { lines })).id)
    }
    const answer = await download('/invoices', 'pdf', ids)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('These documents have more than 2000 lines.')
  })
})

describe('a ZIP', () => {
  it('has the file of each invoice, named by its number', async () => {
    const [first, second] = [await issued(), await issued()]
    const answer = await download('/invoices', 'zip', [first.id, second.id])
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="invoices.zip"')
    const files = filesIn(answer.bytes)
    expect([...files.keys()].toSorted()).toEqual([`${first.number}.pdf`, `${second.number}.pdf`])
    // The file that the customer gets, byte by byte.
    const { content } = await runOperation(getDocumentFile, world().context, books.owner, {
      id: first.id,
    })
    expect(files.get(`${first.number}.pdf`)?.equals(content)).toBe(true)
  })

  it('has a name for each draft', async () => {
    const drafts = [await books.draft('bill'), await books.draft('bill')]
    const third = await books.draft('bill')
    const bill = await runOperation(approveDocument, world().context, books.owner, { id: third.id })
    const ids = [...drafts.map(({ id }) => id), bill.id]
    const files = filesIn((await download('/bills', 'zip', ids)).bytes)
    expect([...files.keys()].toSorted()).toEqual(
      [`${bill.number}.pdf`, 'bill-draft-2.pdf', 'bill-draft.pdf'].toSorted(),
    )
    for (const content of files.values()) expect(pageCount(content)).toBe(1)
  })

  it('has quotes as they were sent', async () => {
    const { context } = world()
    const { id: contactId } = await books.contact({ email: 'customer@example.com' })
    const lines = [{ description: 'Work', unitPrice: '100', accountId: books.account('4000') }]
    const quote = () => runOperation(createQuote, context, books.owner, { contactId, lines })
    const [draft, sent] = [await quote(), await quote()]
    const { number } = await runOperation(sendQuote, context, books.owner, { id: sent.id })
    const files = filesIn((await download('/quotes', 'zip', [draft.id, sent.id])).bytes)
    expect([...files.keys()].toSorted()).toEqual([`${number}.pdf`, 'quote-draft.pdf'].toSorted())
    const one = await download('/quotes', 'pdf', [draft.id, sent.id])
    expect(pageCount(one.bytes)).toBe(2)
    expect(textIn(one.bytes)).toContain('Draft quote')
  })

  it('refuses too many documents', async () => {
    const ids = Array.from({ length: exportedDocumentsMax + 1 }, () => world().context.ids.uuid())
    await expect(
      runOperation(exportDocuments, world().context, books.owner, { ids }),
    ).rejects.toThrow(`A ZIP has at most ${exportedDocumentsMax} documents. Choose fewer.`)
  })
})

describe.each(['pdf', 'zip'] as const)('a %s', (type) => {
  it('never has documents of another business', async () => {
    const other = await newBooks(world())
    const own = await issued()
    const foreign = await other.draft('invoice')
    const answer = await download('/invoices', type, [own.id, foreign.id])
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('text/html')
  })

  it('leads back to the list if nothing was chosen', async () => {
    const answer = await download('/invoices', type, [])
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/b/${books.businessId}/invoices`)
  })

  it('refuses ids that are none', async () => {
    expect((await download('/quotes', type, ['1'])).status).toBe(400)
  })
})
