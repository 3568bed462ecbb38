// Taxes, currencies and exchange rates in the settings of the books.
import { beforeAll, expect, it } from 'vitest'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let owner: AppVisitor

beforeAll(async () => {
  books = await newJournal(world())
  owner = await appVisitor(world(), books.tenant.businessId)
})

const cells = (text: string) =>
  [...text.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, ''))

it('adds a tax with two components, changes it and archives it', async () => {
  const answer = await owner.submit('/settings/taxes/new', {
    name: 'Sales tax',
    component_0: 'Federal',
    rate_0: '5 %',
    component_3: 'Provincial',
    rate_3: '9,975',
    compound_3: 'on',
  })
  expect(answer.status).toBe(303)
  const list = await owner.get('/settings/taxes')
  expect(cells(list.text)).toContain('15.47375 %')
  expect(cells(list.text)).toContain('Federal 5 %Provincial 9.975 % on net and taxes before it')
  const edit = /\/settings\/taxes\/[0-9a-f-]+\/edit/.exec(list.text)?.[0] ?? ''
  const other = books.accountId('2310')
  await owner.submit(edit, { name: 'Old tax', account_1: other, active: 'no' })
  const after = await owner.get('/settings/taxes')
  expect(cells(after.text)).toContain('Old tax')
  expect(after.text).toContain('Archived')
  expect((await owner.get(edit)).text).toMatch(new RegExp(`value="${other}"[^>]*selected`))
})

it('says at the row what is wrong, and keeps what was typed', async () => {
  const { status, text } = await owner.submit('/settings/taxes/new', {
    name: 'Wrong tax',
    component_1: 'Odd',
    rate_1: 'five',
  })
  expect(status).toBe(422)
  expect(text).toMatch(/id="rate_1-error">Must be a number/)
  expect(text).toContain('value="five"')
  const none = await owner.submit('/settings/taxes/new', { name: 'Empty tax' })
  expect(none.text).toMatch(/id="rate_0-error">Enter a rate/)
})

it('refuses a withheld tax on the account of charged tax', async () => {
  const { status, text } = await owner.submit('/settings/taxes/new', {
    name: 'Withheld',
    component_0: 'Withheld',
    rate_0: '-5',
  })
  expect(status).toBe(422)
  expect(text).toContain('needs its own account')
})

it('enters a rate, which applies from its day on', async () => {
  const rate = { currency: 'usd', date: '2026-02-01', rate: '0,92' }
  expect((await owner.submit('/settings/currencies/rates/new', rate)).status).toBe(303)
  const { text } = await owner.get('/settings/currencies')
  expect(cells(text).slice(0, 2)).toEqual(['USD', '0.92'])
  const own = await owner.submit('/settings/currencies/rates/new', { ...rate, currency: 'EUR' })
  expect(own.text).toContain('EUR is the base currency; its rate is 1.')
})

it('imports rates, all or none', async () => {
  const form = '/settings/currencies/rates/import'
  const wrong = await owner.submit(form, { csv: 'currency,date,rate\nGBP,2026-03-01,1.2\nGBP,x,0' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Row 3, date')
  expect(wrong.text).toContain('GBP,2026-03-01,1.2')
  expect((await owner.get('/settings/currencies')).text).not.toContain('GBP')
  const columns = await owner.submit(form, { csv: 'money,date\nGBP,2026-03-01' })
  expect(columns.text).toContain('These columns are missing: currency, rate.')
  const csv = 'Currency;Date;Rate\nGBP;2026-03-01;1.2\ngbp;2026-03-02;1.21'
  expect((await owner.submit(form, { csv })).status).toBe(303)
  const { text } = await owner.get('/settings/currencies?currency=GBP')
  expect(cells(text).filter((cell) => cell === '1.2' || cell === '1.21')).toHaveLength(3)
})

it('leads to the entry that revalues foreign money', async () => {
  await books.post('2026-02-01', [
    ['1000', 920n, { currency: 'USD', amountMinor: 1000n }],
    ['3000', -920n],
  ])
  const rate = { currency: 'USD', date: '2026-02-28', rate: '0.95' }
  await owner.submit('/settings/currencies/rates/new', rate)
  const answer = await owner.submit('/settings/currencies/revalue', { date: '2026-02-28' })
  const location = answer.headers.get('location') ?? ''
  expect(location).toMatch(/\/journal\/\d+$/)
  const entry = await owner.get(location.replace(/^\/b\/[^/]+/, ''))
  expect(entry.text).toContain('0.30')
})
