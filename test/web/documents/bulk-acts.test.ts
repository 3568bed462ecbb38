// Acts on many documents from the list, without JavaScript: choose, look, decide, and see what
// became of each.
import { beforeEach, expect, it } from 'vitest'
import { finishBatchJob } from '../../../src/books/batches/finish-batch.ts'
import { getDocument } from '../../../src/books/documents/get-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { workerFor } from '../../support/jobs.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let owner: AppVisitor

beforeEach(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
})

const read = (id: string) => runOperation(getDocument, world().context, books.owner, { id })
const work = () => workerFor(world().context, { jobs: [finishBatchJob] }).drain()

async function drafts(count: number): Promise<string[]> {
  const { id: contactId } = await books.contact({ email: 'customer@example.com' })
  const made = Array.from({ length: count }, () => books.draft('invoice', { contactId }))
  return (await Promise.all(made)).map(({ id }) => id)
}

const chosen = (ids: readonly string[]) => ids.map((id) => `document=${id}`).join('&')

// Sends the form of an act, does the work, and reads the page that it leads to.
async function act(path: string, fields: Record<string, string> = {}) {
  const answer = await owner.submit(path, fields)
  expect(answer.status).toBe(303)
  const location = answer.headers.get('location') ?? ''
  await work()
  return owner.get(location.replace(`/b/${books.businessId}`, ''))
}

it('issues, sends and pays what was chosen', async () => {
  const ids = await drafts(3)
  const list = await owner.get('/invoices')
  expect(list.text.match(/name="document"/g)).toHaveLength(3)
  const issued = await act(`/invoices/bulk/issue?${chosen(ids)}`)
  expect(issued.text).toContain('Issued: 3')
  expect((await act(`/invoices/bulk/send?${chosen(ids)}`)).text).toContain('Sent: 3')
  expect((await act(`/invoices/bulk/payment?${chosen(ids)}`)).text).toContain('Paid: 3')
  const statuses = (await Promise.all(ids.map(read))).map(({ status }) => status)
  expect(statuses).toEqual(['paid', 'paid', 'paid'])
  expect((await owner.get('/invoices')).text).toContain('Paid: 3')
  expect((await owner.get('/batches')).text).toContain('Record 3 payments')
})

it('takes all that match the filters, and not more', async () => {
  const ids = await drafts(27)
  const { text } = await owner.get('/invoices?view=draft')
  expect(text).toContain('All 27 that match')
  await act(`/invoices/bulk/issue?${chosen(ids.slice(0, 1))}`)
  const page = await act('/invoices/bulk/issue?view=draft&all=yes')
  expect(page.text).toContain('Issued: 26')
})

it('says before and afterwards what is left out, and why', async () => {
  const [first = '', second = ''] = await drafts(2)
  await act(`/invoices/bulk/issue?document=${first}`)
  const page = await owner.get(`/invoices/bulk/issue?${chosen([first, second])}`)
  expect(page.text).toContain('One of the chosen documents is left out.')
  expect(page.text).toContain('An invoice that is issued cannot be issued.')
  // Someone is quicker.
  const fields = fieldsOf(page.text)
  await owner.submit(`/invoices/${second}/issue`)
  const answer = await owner.post('/invoices/bulk/issue', fields)
  await work()
  const result = await owner.get(
    (answer.headers.get('location') ?? '').replace(`/b/${books.businessId}`, ''),
  )
  expect(result.text).toContain('refused: 1')
  expect(result.text).toContain('Someone else has changed it meanwhile.')
  expect(result.text).toContain('Try the refused ones again')
})

it('starts once, however often the form is sent', async () => {
  const ids = await drafts(1)
  const fields = fieldsOf((await owner.get(`/invoices/bulk/issue?${chosen(ids)}`)).text)
  const first = await owner.post('/invoices/bulk/issue', fields)
  const second = await owner.post('/invoices/bulk/issue', fields)
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
})

it('approves and pays bills', async () => {
  const bill = await books.draft('bill')
  expect((await act(`/bills/bulk/approve?document=${bill.id}`)).text).toContain('Approved: 1')
  expect((await act(`/bills/bulk/payment?document=${bill.id}`)).text).toContain('Paid: 1')
  expect(await read(bill.id)).toMatchObject({ status: 'paid' })
})

it('asks for at least one document', async () => {
  const page = await owner.get('/invoices/bulk/issue')
  expect(page.text).toContain('Choose at least one document in the list.')
})

it('offers no act to viewers', async () => {
  await drafts(1)
  const viewer = await appVisitor(world(), books.businessId, 'viewer')
  expect((await viewer.get('/invoices')).text).not.toContain('/invoices/bulk/issue')
  expect((await viewer.get('/invoices/bulk/issue')).status).toBe(403)
})
