// Contacts, their statement, items and accounts: added, found and changed as a person does, and
// what is refused.
import { beforeAll, describe, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { newBooks } from '../../support/documents.ts'
import { newJournal } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let owner: AppVisitor
let viewer: AppVisitor

beforeAll(async () => {
  const { businessId } = (await newJournal(world())).tenant
  owner = await appVisitor(world(), businessId)
  viewer = await appVisitor(world(), businessId, 'viewer')
})

const locationOf = (answer: { headers: Headers }) =>
  (answer.headers.get('location') ?? '').replace(/^\/b\/[^/]+/, '')

describe('contacts', () => {
  it('are added, found by part of their name, and changed', async () => {
    const added = await owner.submit('/contacts/new', {
      name: 'Harbour Bakery',
      type: 'both',
      email: 'orders@bakery.example',
      currency: 'usd',
      paymentTermsDays: '14',
    })
    expect(added.status).toBe(303)
    const page = locationOf(added)
    const shown = (await viewer.get(page)).text
    for (const text of ['Customer and Supplier', 'USD', '14 days', 'Nothing is open.']) {
      expect(shown).toContain(text)
    }
    expect((await viewer.get('/contacts?q=bour+BAK')).text).toContain('Harbour Bakery')
    expect((await viewer.get('/contacts?q=unknown')).text).toContain('No contact contains')

    const changed = await owner.submit(`${page}/edit`, { name: 'Harbour Bread', active: 'no' })
    expect(locationOf(changed)).toBe(page)
    const after = (await viewer.get(page)).text
    expect(after).toContain('Harbour Bread')
    expect(after).toContain('Inactive')
    // What the form did not change stays.
    expect(after).toContain('orders@bakery.example')
  })

  it('keep what was typed when something is wrong', async () => {
    const refused = await owner.submit('/contacts/new', {
      name: 'Typed in full',
      email: 'not an address',
      paymentTermsDays: '14',
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('value="Typed in full"')
    const days = await owner.submit('/contacts/new', { name: 'Other', paymentTermsDays: 'soon' })
    expect(days.text).toContain('Enter a number of days')
  })

  it('are not offered to be changed by people who only read', async () => {
    expect((await viewer.get('/contacts')).text).not.toContain('New contact')
    expect((await viewer.get('/contacts/new')).status).toBe(403)
  })
})

describe('items', () => {
  it('are added with a price, and each code is used once', async () => {
    const fields = { code: 'BREAD', name: 'Loaf', salesUnitPrice: '4.50' }
    expect((await owner.submit('/items/new', fields)).status).toBe(303)
    expect((await viewer.get('/items')).text).toMatch(/BREAD.*Loaf.*4\.50?</s)
    const again = await owner.submit('/items/new', fields)
    expect(again.status).toBe(409)
    expect(again.text).toContain('already an item with the code BREAD')
    const dear = await owner.submit('/items/new', { ...fields, code: 'X', salesUnitPrice: 'much' })
    expect(dear.status).toBe(422)
  })
})

describe('accounts', () => {
  it('are added, and refused where type and kind do not fit', async () => {
    const fields = { code: '5950', name: 'Flour', type: 'expense', subtype: 'cost_of_sales' }
    expect((await owner.submit('/accounts/new', fields)).status).toBe(303)
    expect((await viewer.get('/accounts')).text).toContain('5950 Flour')
    const wrong = await owner.submit('/accounts/new', { ...fields, code: '5951', type: 'asset' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('must have the type')
  })
})

describe('the statement of a contact', () => {
  it('is a page and a CSV of the same period, from first to last balance', async () => {
    const books = await newBooks(world())
    const reader = await appVisitor(world(), books.businessId, 'viewer')
    const contact = await books.contact({ name: 'Harbour Bakery' })
    const draft = await books.draft('invoice', { contactId: contact.id, date: '2026-02-03' })
    const { number } = await runOperation(issueDocument, world().context, books.owner, {
      id: draft.id,
    })
    const page = `/contacts/${contact.id}/statement`
    expect((await reader.get(`/contacts/${contact.id}`)).text).toContain(`${page}"`)
    const shown = (await reader.get(`${page}?from=2026-02-01&to=2026-02-28`)).text
    expect(shown).toMatch(/Opening balance.*0\.00.*Invoice issued: .*100\.00.*Closing balance/s)
    expect(shown).toContain(`/invoices/${draft.id}"`)
    expect(shown).toContain('They owe you')
    const csv = (await reader.get(`${page}.csv?from=2026-02-01&to=2026-02-28`)).text
    expect(csv.split('\r\n').slice(1, 4)).toEqual([
      'EUR,2026-02-01,Opening balance,,,,0.00,',
      expect.stringMatching(
        new RegExp(`^EUR,2026-02-03,Invoice issued: ${number},,[-0-9]+,100\\.00,100\\.00,\\d+$`),
      ),
      'EUR,2026-02-28,Closing balance,,,,100.00,',
    ])
    const later = (await reader.get(`${page}?from=2026-03-01&to=2026-03-31`)).text
    expect(later).toMatch(/Opening balance.*100\.00.*Closing balance.*100\.00/s)
  })
})
