import { describe, expect, it } from 'vitest'
import { updateContact } from '../../../src/books/contacts/update-contact.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { documentMail } from '../../../src/books/documents/document-mail.ts'
import { findDocument } from '../../../src/books/documents/document-store.ts'
import { requireSnapshot } from '../../../src/books/documents/draw-document.ts'
import { getDocumentFile } from '../../../src/books/documents/get-document-file.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { sendDocument } from '../../../src/books/documents/send-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { plainBrand } from '../../../src/kernel/brand/brand.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { textIn } from '../../support/pdf.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context

async function issued(email: string | null = 'ada@example.com') {
  const books = await newBooks(world())
  const customer = await books.contact({ name: 'Ada Ltd', email })
  const draft = await books.draft('invoice', { contactId: customer.id })
  return {
    books,
    customer,
    invoice: await runOperation(issueDocument, context(), books.owner, { id: draft.id }),
  }
}

async function mails(businessId: string) {
  type Sent = { recipients: string[]; bodyText: string; content: Buffer }
  return world().database.sql<Sent[]>`
    select mail.recipients, mail.subject, mail.sender_name, mail.body_text, attached.filename,
      attached.content_type, attached.content
    from kernel.mails as mail
    join kernel.mail_attachments as attached
      on attached.mail_id = mail.id
    where mail.business_id = ${businessId}
    order by mail.id`
}

it('a mail writes amounts and dates as quotes do', async () => {
  const { books, invoice } = await issued()
  const snapshot = await requireSnapshot(context(), books.owner, invoice.id)
  const large = { ...snapshot, total: '1234567.50', dueDate: '2026-04-01' }
  const { businessId } = books
  const tenant = { businessId, environment: 'live' } as const
  const sender = { publicUrl: 'https://pay.example.com', tenant, brand: plainBrand }
  const amount = `invoice ${invoice.number} for EUR 1,234,567.50`
  expect(documentMail(sender, large, { dueDate: '2026-04-01' }, undefined).text).toContain(
    `${amount}, due on 1 April 2026.`,
  )
  expect(documentMail(sender, large, { dueDate: '2026-05-02' }, undefined).text).toContain(
    `${amount}, due on 2 May 2026 instead of 1 April 2026.`,
  )
})

describe('sending', () => {
  it('mails the file to the customer, and the invoice is sent', async () => {
    const { books, invoice } = await issued()
    const sent = await runOperation(sendDocument, context(), books.owner, { id: invoice.id })
    expect(sent.status).toBe('sent')
    const [mail] = await mails(books.businessId)
    expect(mail).toMatchObject({
      recipients: ['ada@example.com'],
      subject: `Invoice ${invoice.number} from Corner shop`,
      senderName: 'Corner shop',
      filename: `${invoice.number}.pdf`,
      contentType: 'application/pdf',
    })
    expect(mail?.bodyText).toContain(
      `Please find attached invoice ${invoice.number} for EUR 100.00`,
    )
    const { content } = await runOperation(getDocumentFile, context(), books.owner, {
      id: invoice.id,
    })
    expect(Buffer.from(content).equals(mail?.content ?? Buffer.of())).toBe(true)
    expect(Buffer.from(content).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('goes to other addresses and with other words when it is told to, as often as wanted', async () => {
    const { books, invoice } = await issued(null)
    const send = (input?: object) =>
      runOperation(sendDocument, context(), books.owner, { id: invoice.id, ...input })
    await expect(send()).rejects.toThrow('Ada Ltd has no e-mail address. Enter one.')
    expect((await findDocument(world().database.sql, books, invoice.id))?.status).toBe('posted')
    const first = await send({ to: ['a@example.com', 'b@example.com'], message: 'Hello again' })
    const second = await send({ to: ['a@example.com'] })
    expect(second.sentAt).toEqual(first.sentAt)
    const [mail, ...more] = await mails(books.businessId)
    expect(mail?.recipients).toEqual(['a@example.com', 'b@example.com'])
    expect(mail?.bodyText.startsWith('Hello again\n')).toBe(true)
    expect(more).toHaveLength(1)
  })

  it('waits for what is not issued yet, and is over for what is void', async () => {
    const { books, invoice } = await issued()
    await runOperation(voidDocument, context(), books.owner, { id: invoice.id })
    const draft = await books.draft()
    const send = (id: string) => refusal(runOperation(sendDocument, context(), books.owner, { id }))
    expect(await send(invoice.id)).toBe('An invoice that is void cannot be sent.')
    expect(await send(draft.id)).toBe('An invoice that is a draft cannot be sent. Issue it first.')
  })
})

describe('the file of a document', () => {
  it('is drawn once and stays the same, whatever becomes of the customer', async () => {
    const { books, customer, invoice } = await issued()
    const first = await runOperation(getDocumentFile, context(), books.owner, { id: invoice.id })
    await runOperation(updateContact, context(), books.owner, {
      id: customer.id,
      name: 'Someone else',
    })
    const second = await runOperation(getDocumentFile, context(), books.owner, { id: invoice.id })
    expect(Buffer.from(second.content).equals(first.content)).toBe(true)
    const [row] = await world().database.sql`
      select count(*)::int as files
      from books.document_files
      where business_id = ${books.businessId}`
    expect(row?.files).toBe(1)
  })

  it('of a draft is drawn anew and kept nowhere', async () => {
    const books = await newBooks(world())
    const draft = await books.draft('credit_note')
    const file = await runOperation(getDocumentFile, context(), books.owner, { id: draft.id })
    expect(file.filename).toBe('credit-note-draft.pdf')
    const [row] = await world().database.sql`
      select count(*)::int as files
      from books.document_files
      where business_id = ${books.businessId}`
    expect(row?.files).toBe(0)
  })

  it('of what is void says so, whether it was drawn before or not', async () => {
    const { books, invoice } = await issued()
    const before = await runOperation(getDocumentFile, context(), books.owner, { id: invoice.id })
    expect(textIn(before.content)).not.toContain('VOID')
    await runOperation(voidDocument, context(), books.owner, { id: invoice.id })
    const { content } = await runOperation(getDocumentFile, context(), books.owner, {
      id: invoice.id,
    })
    expect(textIn(content)).toContain('VOID: DO NOT PAY')
    expect(textIn(content)).toContain(invoice.number)
  })

  it('of a purchase shows what was entered, with the words of a purchase', async () => {
    const books = await newBooks(world())
    const draft = await books.draft('bill')
    const file = (id: string) => runOperation(getDocumentFile, context(), books.owner, { id })
    const before = await file(draft.id)
    expect(before.filename).toBe('bill-draft.pdf')
    expect(textIn(before.content)).toMatch(/Draft bill[\s\S]*SUPPLIER/)
    const { number } = await runOperation(approveDocument, context(), books.owner, {
      id: draft.id,
    })
    const after = await file(draft.id)
    expect(after.filename).toBe(`${number}.pdf`)
    expect(textIn(after.content)).not.toMatch(/draft/i)
    await expect(
      runOperation(getDocumentFile, context(), books.owner, { id: draft.id, asIssued: true }),
    ).rejects.toThrow('It was not issued.')
  })
})
