// Files of a bill before its first save, without JavaScript: the bookkeeper starts with the
// supplier's file, and nothing is lost while the form is filled in.
import { beforeEach, describe, expect, it } from 'vitest'
import { addAttachment } from '../../../src/books/attachments/add-attachment.ts'
import { waitingDays, waitingFilesMax } from '../../../src/books/attachments/attachment.ts'
import { updateWaitingFileToRemoved } from '../../../src/books/attachments/attachment-store.ts'
import { expireWaitingFilesSchedule } from '../../../src/books/attachments/expire-waiting-files.ts'
import { getAttachment } from '../../../src/books/attachments/get-attachment.ts'
import { listWaitingFiles } from '../../../src/books/attachments/list-waiting-files.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { createQuote } from '../../../src/books/quotes/create-quote.ts'
import { sendQuote } from '../../../src/books/quotes/send-quote.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let owner: AppVisitor

beforeEach(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
})

const pdf = '%PDF-1.7 a bill'
const file = (text: string | Buffer = pdf) => ({ field: 'content', name: 'bill.pdf', text })
const attach = (fields: Record<string, string> = {}, text: string | Buffer = pdf) =>
  owner.upload('/bills/new', file(text), { fileStep: 'attach', ...fields })
const shownPath = (html: string) => /src="[^"]*(\/bills\/files\/[^"]+)"/.exec(html)?.[1] ?? ''

async function filled() {
  const { name } = await books.contact({ name: 'Paper Ltd' })
  return {
    contact: name,
    'line-0-description': 'Paper',
    'line-0-unitPrice': '20',
    'line-0-account': '6300',
  }
}

it('is beside the empty form, and belongs to the draft once that is saved', async () => {
  const shown = await attach({ reference: 'R-77' })
  expect(shown.status).toBe(422)
  expect(shown.text).toContain('value="R-77"')
  const path = shownPath(shown.text)
  expect((await owner.get(path)).text).toBe(pdf)
  const answer = await owner.post('/bills/new', { ...fieldsOf(shown.text), ...(await filled()) })
  expect(answer.status).toBe(303)
  const bill = (answer.headers.get('location') ?? '').replace(`/b/${books.businessId}`, '')
  const page = await owner.get(bill)
  expect(page.text).toContain('bill.pdf</a>')
  expect(page.text).toContain('File attached')
  expect((await owner.get(`${bill}/files/${path.split('/').at(-1)}`)).text).toBe(pdf)
  // A form that was open when it was saved still shows it.
  expect((await owner.get(path)).text).toBe(pdf)
})

it('is refused with more fields than a document has', async () => {
  const long = 'x'.repeat(60_000)
  const fields = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`line-${index}-description`, long]),
  )
  expect((await attach(fields)).status).toBe(400)
})

it('stays when the form is refused', async () => {
  const first = await attach()
  const refused = await owner.post('/bills/new', {
    ...fieldsOf(first.text),
    contact: 'No such supplier',
  })
  expect(refused.status).toBe(422)
  expect(shownPath(refused.text)).toBe(shownPath(first.text))
  expect((await owner.get(shownPath(refused.text))).text).toBe(pdf)
})

it('is removed by its button', async () => {
  const first = await attach()
  const path = shownPath(first.text)
  const id = path.split('/').at(-1) ?? ''
  const answer = await owner.post('/bills/new', { ...fieldsOf(first.text), fileStep: id })
  expect(answer.status).toBe(422)
  expect(answer.text).not.toContain('bill.pdf')
  expect((await owner.get(path)).status).toBe(404)
})

describe('what is typed is kept', () => {
  it.each([
    ['of another type', 'hello', 'Must be a PDF, PNG or JPEG.'],
    ['too large', Buffer.alloc(6 * 1024 * 1024, '%PDF-'), 'At most 5 MB.'],
    ['missing', '', 'Choose a file first.'],
  ])('when the file is %s', async (_what, text, reason) => {
    const chosen = text === '' ? { ...file(''), name: '' } : file(text)
    const answer = await owner.upload('/bills/new', chosen, {
      fileStep: 'attach',
      reference: 'R-78',
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(reason)
    expect(answer.text).toContain('value="R-78"')
  })
})

it('is attached to a draft from its editor, with what is typed there', async () => {
  const { id } = await books.draft('bill')
  const answer = await owner.upload(`/bills/${id}/edit`, file(), {
    fileStep: 'attach',
    reference: 'R-79',
  })
  expect(answer.text).toContain('value="R-79"')
  expect(answer.text).toContain(`/bills/${id}/files/`)
})

describe('a file that waits', () => {
  const content = Buffer.from(pdf).toString('base64')
  const wait = (text = content) =>
    runOperation(addAttachment, world().context, books.owner, { fileName: 'a.pdf', content: text })

  it('is known only to the person who uploaded it', async () => {
    const { id } = await wait()
    const { context } = world()
    const other = books.person('owner')
    await expect(runOperation(getAttachment, context, other, { id })).rejects.toThrow(
      'No such file.',
    )
    expect(await runOperation(listWaitingFiles, context, other, { ids: [id] })).toEqual([])
    const { id: contactId } = await books.contact()
    const lines = [{ description: 'Paper', unitPrice: '20', accountId: books.account('6300') }]
    const draft = { kind: 'bill' as const, contactId, lines, attachmentIds: [id] }
    expect(await refusal(runOperation(createDocument, context, other, draft))).toContain(
      'A file is no longer there.',
    )
    await runOperation(createDocument, context, books.owner, draft)
    // One file belongs to one document.
    expect(await refusal(runOperation(createDocument, context, books.owner, draft))).toContain(
      'A file is no longer there.',
    )
  })

  it('is stored once; the oldest of too many is dropped', async () => {
    const { context } = world()
    const first = await wait()
    expect((await wait()).id).toBe(first.id)
    const text = (index: number) => Buffer.from(`${pdf} ${index}`).toString('base64')
    for (let index = 1; index < waitingFilesMax; index += 1) await wait(text(index))
    const read = (id: string) => runOperation(getAttachment, context, books.owner, { id })
    await read(first.id)
    const last = await wait(text(waitingFilesMax))
    expect(await refusal(read(first.id))).toContain('No such file.')
    await read(last.id)
  })

  it('is not deleted if it is saved at the moment when it would be', async () => {
    const { context, database } = world()
    const { id } = await wait()
    const { id: contactId } = await books.contact()
    const lines = [{ description: 'Paper', unitPrice: '20', accountId: books.account('6300') }]
    const draft = { kind: 'bill' as const, contactId, lines, attachmentIds: [id] }
    await runOperation(createDocument, context, books.owner, draft)
    const isRemoved = await database.transaction((tx) =>
      updateWaitingFileToRemoved(tx, books.owner, id, context.clock.now()),
    )
    expect(isRemoved).toBe(false)
    const { content } = await runOperation(getAttachment, context, books.owner, { id })
    expect(Buffer.from(content).toString()).toBe(pdf)
  })

  it('is deleted after some days, unless it was saved', async () => {
    const { context, database } = world()
    const { id } = await wait()
    const bill = await books.draft('bill')
    const kept = await runOperation(addAttachment, context, books.owner, {
      documentId: bill.id,
      fileName: 'kept.pdf',
      content: Buffer.from(`${pdf} kept`).toString('base64'),
    })
    const run = () => expireWaitingFilesSchedule.run(context, new AbortController().signal)
    const contents = async () =>
      (
        await database.sql<{ id: string }[]>`
          select id
          from books.attachment_contents
          where business_id = ${books.businessId}`
      ).map((row) => row.id)
    await run()
    expect((await contents()).toSorted()).toEqual([id, kept.id].toSorted())
    await database.sql`
      update books.attachments
      set added_at = added_at - make_interval(days => ${waitingDays + 1})
      where business_id = ${books.businessId}`
    await run()
    expect(await contents()).toEqual([kept.id])
  })
})

describe('a quote', () => {
  it('has files, which are kept once it was sent', async () => {
    const { context } = world()
    const { id: contactId } = await books.contact({ email: 'customer@example.com' })
    const lines = [{ description: 'Work', unitPrice: '100', accountId: books.account('4000') }]
    const quote = await runOperation(createQuote, context, books.owner, { contactId, lines })
    const page = `/quotes/${quote.id}`
    expect((await owner.upload(`${page}/attach`, file())).status).toBe(303)
    const { text } = await owner.get(page)
    expect(text).toContain('bill.pdf</a>')
    expect(text).toContain('File attached')
    const path = /href="[^"]*(\/quotes\/[^"]+\/files\/[^"]+?)"/.exec(text)?.[1] ?? ''
    expect((await owner.get(path)).text).toBe(pdf)
    // The same file twice.
    expect((await owner.upload(`${page}/attach`, file())).text).toContain('attached already')
    await runOperation(sendQuote, context, books.owner, { id: quote.id })
    expect((await owner.get(page)).text).toContain('Files of a quote that was sent are kept.')
    const removal = await owner.submit(`${path}/remove`)
    expect(removal.status).not.toBe(303)
    expect((await owner.get(path)).status).toBe(200)
  })
})
