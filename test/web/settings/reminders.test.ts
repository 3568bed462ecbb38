// Reminders in the application: the schedule with its preview, the dispute flag and the pause.
import { beforeAll, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let owner: AppVisitor
let invoiceId: string
let contactId: string

beforeAll(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId, 'owner')
  const contact = await books.contact({ name: 'Ada Ltd', email: 'ada@customer.example' })
  contactId = contact.id
  const today = new Date().toISOString().slice(0, 10)
  const dueDate = addDays(today, 10)
  const draft = await books.draft('invoice', { contactId, date: today, dueDate })
  invoiceId = draft.id
  const { context } = world()
  await runOperation(issueDocument, context, books.owner, { id: invoiceId, isSent: true })
})

// A button that acts at once.
function press(path: string) {
  return owner.post(path, { form_token: world().context.ids.uuid() })
}

it('shows before switching on what would be sent, and then the next reminder', async () => {
  const before = await owner.get('/settings/reminders')
  expect(before.text).toContain('If you switch them on now')
  expect(before.text).toContain('3 days before the due date')
  expect(before.text).toContain('Dear Ada Ltd,')
  const saved = await owner.submit('/settings/reminders/edit', {
    isOn: 'yes',
    before: '5, 2',
    onDueDate: 'yes',
    after: '',
  })
  expect(saved.status).toBe(303)
  const after = await owner.get('/settings/reminders')
  expect(after.text).toContain('5 days before the due date')
  expect(after.text).not.toContain('14 days after')
  expect((await owner.get(`/invoices/${invoiceId}`)).text).toContain('Next reminder')
})

it('refuses days that are none, and keeps what was typed', async () => {
  const fields = { isOn: 'yes', before: 'soon', onDueDate: 'no', after: '1' }
  const refused = await owner.submit('/settings/reminders/edit', fields)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Enter days from 1 to 365')
  expect(refused.text).toContain('value="soon"')
  const none = { isOn: 'yes', before: '', onDueDate: 'no', after: '' }
  expect((await owner.submit('/settings/reminders/edit', none)).text).toContain('1 to 10 days')
})

it('flags an invoice as disputed, with the reason, and resumes it', async () => {
  const path = `/invoices/${invoiceId}`
  const reason = 'Half of it was not delivered.'
  expect((await owner.submit(`${path}/dispute`, { reason })).status).toBe(303)
  const flagged = await owner.get(path)
  expect(flagged.text).toContain('Disputed')
  expect(flagged.text).toContain(reason)
  expect(flagged.text).not.toContain('Next reminder')
  expect((await press(`${path}/resume-reminders`)).status).toBe(303)
  const resumed = await owner.get(path)
  expect(resumed.text).toContain('Reminders resumed')
  expect(resumed.text).toContain('Next reminder')
})

it('pauses the reminders of a contact, and resumes them', async () => {
  const path = `/contacts/${contactId}`
  const reason = 'We agreed on instalments.'
  expect((await owner.submit(`${path}/pause-reminders`, { reason })).status).toBe(303)
  expect((await owner.get(path)).text).toContain(reason)
  expect((await owner.get(`/invoices/${invoiceId}`)).text).toContain(
    'The reminders of this contact are paused.',
  )
  expect((await owner.get('/settings/reminders')).text).toContain('Contact paused')
  expect((await press(`${path}/resume-reminders`)).status).toBe(303)
  expect((await owner.get(path)).text).not.toContain(reason)
})

it('keeps the language and the time zone of a contact', async () => {
  const fields = { name: 'Ada Ltd', language: 'fr', timeZone: 'Africa/Lagos' }
  expect((await owner.submit(`/contacts/${contactId}/edit`, fields)).status).toBe(303)
  const page = await owner.get(`/contacts/${contactId}`)
  expect(page.text).toContain('Français')
  expect(page.text).toContain('Africa/Lagos')
})
