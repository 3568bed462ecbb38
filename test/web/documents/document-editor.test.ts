// The editor without JavaScript: nothing typed is lost, and what is saved is what was typed.
import { beforeEach, describe, expect, it } from 'vitest'
import { getDocument } from '../../../src/books/documents/get-document.ts'
import { getQuote } from '../../../src/books/quotes/get-quote.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

let books: Books
let owner: AppVisitor

beforeEach(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
  await books.contact({ name: 'Acme Ltd', paymentTermsDays: 14 })
})

const read = (id: string) => runOperation(getDocument, world().context, books.owner, { id })

function idIn(answer: { headers: Headers }): string {
  return /\/([^/]+)$/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
}

const oneLine = {
  contact: 'acme ltd',
  'line-0-description': 'Work',
  'line-0-quantity': '2',
  'line-0-unitPrice': '1,234.50',
  'line-0-account': '4000',
}

describe('a new document', () => {
  it('is saved with what was typed and what the contact brings', async () => {
    const answer = await owner.submit('/invoices/new', { ...oneLine, date: '2026-03-01' })
    expect(answer.status).toBe(303)
    expect(await read(idIn(answer))).toMatchObject({
      kind: 'invoice',
      status: 'draft',
      date: '2026-03-01',
      dueDate: '2026-03-15',
      totalMinor: 246_900n,
      lines: [{ description: 'Work', accountId: books.account('4000') }],
    })
  })

  it.each([
    ['/invoices/new?kind=credit_note', 'credit_note'],
    ['/bills/new', 'bill'],
    ['/bills/new?kind=supplier_credit', 'supplier_credit'],
    ['/bills/new?kind=expense_claim', 'expense_claim'],
  ])('at %s is of its kind', async (path, kind) => {
    const answer = await owner.submit(path, { ...oneLine, 'line-0-account': '6300' })
    expect(await read(idIn(answer))).toMatchObject({ kind })
  })

  it('takes description, price, account and tax from the item, and says where from', async () => {
    const { id: taxCodeId, name } = await books.taxCode('20')
    await books.item({
      code: 'W-1',
      name: 'Widget',
      salesUnitPrice: '12.50',
      salesAccountId: books.account('4100'),
      salesTaxCodeId: taxCodeId,
    })
    const fields = { contact: 'Acme Ltd', 'line-0-item': 'w-1', 'line-0-quantity': '4' }
    const preview = await owner.submit('/invoices/new', { ...fields, step: 'refresh' })
    expect(preview.text).toContain('>from the item<')
    expect(preview.text).toContain(`placeholder="${name}"`)
    expect(preview.text).toContain('€60.00')
    const answer = await owner.submit('/invoices/new', fields)
    expect(await read(idIn(answer))).toMatchObject({
      totalMinor: 6000n,
      lines: [{ description: 'Widget', unitPrice: '12.5', taxCodeId }],
    })
  })

  it('keeps everything when a line is added, moved or removed, and saves nothing', async () => {
    const typed = { ...oneLine, notes: 'Thank you', 'line-1-description': 'Travel' }
    const added = await owner.submit('/invoices/new', { ...typed, step: 'add' })
    expect(added.status).toBe(422)
    expect(added.text).not.toContain('Please fix')
    const fields = fieldsOf(added.text)
    expect(fields).toMatchObject({ contact: 'acme ltd', 'line-0-unitPrice': '1,234.50' })
    expect(fields['line-3-unitPrice']).toBe('')
    expect(added.text).toContain('>Thank you</textarea>')
    const moved = await owner.submit('/invoices/new', { ...typed, step: 'down-0' })
    expect(fieldsOf(moved.text)).toMatchObject({ 'line-1-unitPrice': '1,234.50' })
    const removed = await owner.submit('/invoices/new', { ...typed, step: 'remove-0' })
    expect(fieldsOf(removed.text)).toMatchObject({ 'line-0-unitPrice': '' })
    expect((await owner.get('/invoices')).text).toContain('No invoices yet')
  })

  it('shows what is wrong at each field, with everything that was typed', async () => {
    const answer = await owner.submit('/invoices/new', {
      ...oneLine,
      contact: 'Unknown',
      'line-0-account': '9999',
      'line-1-description': 'Travel',
      'line-1-unitPrice': '5',
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('No such contact. Choose one of the list.')
    expect(answer.text).toContain('href="#line-0-account"')
    expect(fieldsOf(answer.text)).toMatchObject({ contact: 'Unknown', 'line-0-account': '9999' })
    const next = await owner.submit('/invoices/new', { ...oneLine, 'line-0-unitPrice': 'x' })
    expect(next.text).toContain('href="#line-0-unitPrice"')
  })

  it('shows the total of a foreign document in the base currency', async () => {
    await books.rate('USD', '2026-01-01', '0.9')
    const fields = { ...oneLine, currency: 'usd', step: 'refresh' }
    const { text } = await owner.submit('/invoices/new', fields)
    expect(text).toContain('US$2,469.00')
    expect(text).toContain('€2,222.10')
  })

  it('warns of a bill with the same reference', async () => {
    const bill = { ...oneLine, 'line-0-account': '6300', reference: 'R-1' }
    await owner.submit('/bills/new', bill)
    const second = await owner.submit('/bills/new', bill)
    const flash = /tillbook\.flash=([^;]*)/.exec(second.headers.get('set-cookie') ?? '')?.[1] ?? ''
    expect(Buffer.from(flash, 'base64url').toString()).toContain('R-1 of this supplier')
  })
})

describe('the rate of a foreign draft', () => {
  beforeEach(async () => {
    await books.rate('USD', '2026-01-01', '0.9')
    await books.rate('USD', '2026-02-01', '0.8')
  })
  const january = { currency: 'USD', date: '2026-01-15' }

  it('that was looked up is shown as a suggestion, and saving does not state it', async () => {
    const { id } = await books.draft('invoice', january)
    const { text } = await owner.get(`/invoices/${id}/edit`)
    expect(fieldsOf(text)).toMatchObject({ fxRate: '' })
    expect(text).toMatch(/<input[^>]*name="fxRate"[^>]*placeholder="0\.9"/)
    await owner.submit(`/invoices/${id}/edit`, { notes: 'Changed' })
    expect(await read(id)).toMatchObject({ fxRate: '0.9', fxRateStated: false })
    const fields = fieldsOf((await owner.get(`/invoices/${id}/edit`)).text)
    await owner.post(`/invoices/${id}/autosave`, { ...fields, notes: 'Again' })
    expect(await read(id)).toMatchObject({ notes: 'Again', fxRateStated: false })
  })

  it('is that of its day while a person types, not the newest', async () => {
    const typed = { ...oneLine, ...january, step: 'refresh' }
    const { text } = await owner.submit('/invoices/new', typed)
    expect(text).toMatch(/<input[^>]*name="fxRate"[^>]*placeholder="0\.9"/)
    expect(text).toContain('€2,222.10')
    const before = await owner.submit('/invoices/new', { ...typed, date: '2025-12-31' })
    expect(before.text).toContain('no rate of USD is known')
  })

  // 0.8 is the newest known rate, but not that of the day.
  it.each(['0.85', '0.8'])('that was stated as %s stays', async (fxRate) => {
    const { id } = await books.draft('invoice', january)
    await owner.submit(`/invoices/${id}/edit`, { fxRate })
    await owner.submit(`/invoices/${id}/edit`, { notes: 'Changed' })
    expect(await read(id)).toMatchObject({ notes: 'Changed', fxRate, fxRateStated: true })
  })
})

describe('a draft that two people edit', () => {
  it('tells the second, shows both versions, and lets them replace the first', async () => {
    const { id } = await books.draft('invoice', { reference: 'Old' })
    const other = await appVisitor(world(), books.businessId, 'member')
    const path = `/invoices/${id}/edit`
    const mine = { ...fieldsOf((await owner.get(path)).text), reference: 'Mine' }
    expect((await other.submit(path, { reference: 'Theirs' })).status).toBe(303)
    const refused = await owner.post(path, mine)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('with the reference Theirs')
    expect(fieldsOf(refused.text)).toMatchObject({ reference: 'Mine' })
    expect(await read(id)).toMatchObject({ reference: 'Theirs' })
    const over = /name="over" value="(\d+)"/.exec(refused.text)?.[1] ?? ''
    expect((await owner.post(path, { ...fieldsOf(refused.text), over })).status).toBe(303)
    expect(await read(id)).toMatchObject({ reference: 'Mine' })
  })

  it('saves by itself until someone else has saved', async () => {
    const { id } = await books.draft('invoice')
    const path = `/invoices/${id}`
    const fields = fieldsOf((await owner.get(`${path}/edit`)).text)
    const saved = await owner.post(`${path}/autosave`, { ...fields, notes: 'First' })
    expect(JSON.parse(saved.text)).toMatchObject({ version: '2' })
    const stale = await owner.post(`${path}/autosave`, { ...fields, notes: 'Second' })
    expect(stale.status).toBe(409)
    expect(await read(id)).toMatchObject({ notes: 'First' })
  })

  it('makes one draft, even if the first save is repeated', async () => {
    const fields = { ...fieldsOf((await owner.get('/invoices/new')).text), ...oneLine }
    const answers = [
      await owner.post('/invoices/autosave', fields),
      await owner.post('/invoices/autosave', fields),
    ]
    const hrefs = answers.map(({ text }) => JSON.parse(text).editHref)
    expect(hrefs[0]).toBe(hrefs[1])
  })
})

it('does not edit what is issued', async () => {
  const { id } = await books.draft('invoice')
  await owner.submit(`/invoices/${id}/issue`)
  const answer = await owner.submit(`/invoices/${id}/edit`)
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('Void it, or credit it.')
})

it('makes and changes quotes', async () => {
  const made = await owner.submit('/quotes/new', { ...oneLine, until: '2099-01-01' })
  const id = idIn(made)
  const path = `/quotes/${id}/edit`
  const stale = fieldsOf((await owner.get(path)).text)
  expect((await owner.submit(path, { notes: 'Better' })).status).toBe(303)
  const quote = await runOperation(getQuote, world().context, books.owner, { id })
  expect(quote).toMatchObject({ notes: 'Better', expiryDate: '2099-01-01', totalMinor: 246_900n })
  const refused = await owner.post(path, stale)
  expect(refused.text).toContain('Someone else has saved this draft meanwhile')
})
