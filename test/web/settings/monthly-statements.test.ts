// Monthly statements in the application: the switch, the stop of a contact and what was mailed.
import { beforeAll, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { sendStatementsSchedule } from '../../../src/books/statements/monthly/send-monthly-statements.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const path = '/settings/monthly-statements'
let books: Books
let owner: AppVisitor
let contactId: string

beforeAll(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId, 'owner')
  const contact = await books.contact({ name: 'Ada Ltd', email: 'ada@customer.example' })
  contactId = contact.id
  const today = new Date().toISOString().slice(0, 10)
  const draft = await books.draft('invoice', { contactId, date: today })
  await runOperation(issueDocument, world().context, books.owner, { id: draft.id })
})

function press(to: string, fields: Record<string, string> = {}) {
  return owner.post(to, { form_token: world().context.ids.uuid(), ...fields })
}

it('is off at first, shows who would get one, and is switched on', async () => {
  expect((await owner.get('/settings')).text).toContain('Monthly statements')
  const before = await owner.get(path)
  expect(before.text).toContain('If you switch them on now')
  expect(before.text).toContain('ada@customer.example')
  expect((await owner.get(`/contacts/${contactId}`)).text).toContain('of your business are off')
  expect((await press(`${path}/set`, { isOn: 'yes' })).status).toBe(303)
  const after = await owner.get(path)
  expect(after.text).toContain('Switch off')
  expect(after.text).not.toContain('If you switch them on now')
})

it('stops the statements of a contact with a reason, and resumes them', async () => {
  const page = `/contacts/${contactId}`
  const refused = await owner.submit(`${page}/stop-statements`, { reason: '' })
  expect(refused.text).toContain('Must not be empty')
  const reason = 'They read them in their own portal.'
  expect((await owner.submit(`${page}/stop-statements`, { reason })).status).toBe(303)
  expect((await owner.get(page)).text).toContain(reason)
  expect((await owner.get(path)).text).toContain('Stopped')
  expect((await press(`${page}/resume-statements`)).status).toBe(303)
  expect((await owner.get(page)).text).not.toContain(reason)
})

it('lists what was mailed on the page of the contact, with the mail', async () => {
  const now = new Date()
  const firstOfNext = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12))
  const { context } = world()
  const later = { ...context, clock: manualClock(firstOfNext) }
  await sendStatementsSchedule.run(later, new AbortController().signal)
  const month = now.toLocaleDateString('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' })
  const { text } = await owner.get(`/contacts/${contactId}`)
  expect(text).toContain(month)
  expect(text).toContain('to ada@customer.example')
  const [, mail = ''] = /href="[^"]*(\/settings\/mails\/[0-9a-f-]{36})"/.exec(text) ?? []
  expect((await owner.get(mail)).text).toContain('Statement')
})
