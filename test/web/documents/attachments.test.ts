// The files of a document, through its pages: added, read with safe headers, kept encrypted, and
// removed from drafts alone.
import { beforeEach, describe, expect, it } from 'vitest'
import { addAttachment } from '../../../src/books/attachments/add-attachment.ts'
import { attachmentsMax } from '../../../src/books/attachments/attachment.ts'
import { listAttachments } from '../../../src/books/attachments/list-attachments.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { tokenField } from '../../../src/web/shell/token-field.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let owner: AppVisitor
let billId: string

beforeEach(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
  billId = (await books.draft('bill')).id
})

const pdf = '%PDF-1.7 scan of a bill'
const attach = (text: string, name = 'bill.pdf', id = billId) =>
  owner.upload(`/bills/${id}/attach`, { field: 'content', name, text })
const attached = async () =>
  (await runOperation(listAttachments, world().context, books.owner, { documentId: billId }))
    .attachments
const fileOf = async () => `/bills/${billId}/files/${(await attached())[0]?.id}`

it('is attached, listed, shown and in the timeline', async () => {
  expect((await attach(pdf)).status).toBe(303)
  const page = await owner.get(`/bills/${billId}`)
  expect(page.text).toContain('bill.pdf</a>')
  expect(page.text).toContain('File attached')
  const file = await owner.get(await fileOf())
  expect(file.text).toBe(pdf)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': "inline; filename*=UTF-8''bill.pdf",
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
})

it('is beside the fields of the editor', async () => {
  expect((await owner.get(`/bills/${billId}/edit`)).text).not.toContain('<iframe')
  await attach(pdf)
  const { text } = await owner.get(`/bills/${billId}/edit`)
  expect(text).toContain(`<iframe class="file-frame" src="/b/${books.businessId}${await fileOf()}"`)
})

it('is encrypted at rest', async () => {
  await attach(pdf)
  const [row] = await world().database.sql<{ contentSealed: Buffer }[]>`
    select content_sealed
    from books.attachment_contents
    where business_id = ${books.businessId}`
  expect(row?.contentSealed.includes('scan of a bill')).toBe(false)
})

describe('is refused', () => {
  it.each([
    ['a page that would run', '<html><script>alert(1)</script>', 'bill.pdf'],
    ['an empty file', '', 'bill.pdf'],
  ])('as %s, whatever its name', async (_what, text, name) => {
    const answer = await attach(text, name)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Must be a PDF, PNG or JPEG.')
  })

  it('without a file', async () => {
    const answer = await owner.upload(`/bills/${billId}/attach`, { field: 'x', name: '', text: '' })
    expect(answer.text).toContain('Choose a file first.')
  })

  it('above the limit', async () => {
    const answer = await attach(`%PDF-${'0'.repeat(5 * 1024 * 1024)}`)
    expect(answer.status).toBe(422)
    expect(answer.text).toMatch(/At most 5 MB|too large/)
    expect(await attached()).toEqual([])
  })

  it('twice, and above the number of files', async () => {
    await attach(pdf)
    expect((await attach(pdf, 'other.pdf')).text).toContain('This file is attached already.')
    const add = (index: number) =>
      runOperation(addAttachment, world().context, books.owner, {
        documentId: billId,
        fileName: 'page.pdf',
        content: Buffer.from(`%PDF-${index}`).toString('base64'),
      })
    for (let index = 1; index < attachmentsMax; index += 1) await add(index)
    await expect(add(attachmentsMax)).rejects.toThrow('at most 10 files')
  })

  it('to viewers, on the other side and to other businesses', async () => {
    await attach(pdf)
    const path = await fileOf()
    const viewer = await appVisitor(world(), books.businessId, 'viewer')
    expect((await viewer.get(`/bills/${billId}/attach`)).status).toBe(403)
    expect((await viewer.get(path)).status).toBe(200)
    const invoice = await books.draft('invoice')
    const fileId = path.split('/').at(-1)
    expect((await owner.get(`/invoices/${invoice.id}/files/${fileId}`)).status).toBe(404)
    const other = await newBooks(world())
    const stranger = await appVisitor(world(), other.businessId)
    expect((await stranger.get(path)).status).toBe(404)
  })
})

describe('is removed', () => {
  it('from a draft, with its content', async () => {
    await attach(pdf)
    const path = await fileOf()
    const { text } = await owner.get(`/bills/${billId}`)
    expect(text).toContain(`${path}/remove`)
    const token = /files\/[^"]*\/remove".*?name="([^"]*)" value="([^"]*)"/s.exec(text)
    const answer = await owner.post(`${path}/remove`, { [token?.[1] ?? '']: token?.[2] ?? '' })
    expect(answer.status).toBe(303)
    expect((await owner.get(path)).status).toBe(404)
    const contents = await world().database.sql`
      select id
      from books.attachment_contents
      where business_id = ${books.businessId}`
    expect(contents).toHaveLength(0)
  })

  it('never from what is in the books', async () => {
    await attach(pdf)
    const path = await fileOf()
    await owner.submit(`/bills/${billId}/approve`)
    const { text } = await owner.get(`/bills/${billId}`)
    expect(text).toContain('in the books or decided are kept')
    expect(text).not.toContain(`${path}/remove`)
    const token = { [tokenField]: world().context.ids.uuid() }
    expect((await owner.post(`${path}/remove`, token)).status).not.toBe(303)
    expect((await owner.get(path)).status).toBe(200)
    // Others can be added: the receipt often comes later.
    expect((await attach('%PDF-receipt')).status).toBe(303)
  })
})
