// Settings of the books: numbers, approval limits, defaults and automatic booking. The chart of
// accounts as one grid.
import { beforeAll, expect, it } from 'vitest'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let owner: AppVisitor

beforeAll(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
})

it('changes a number pattern, and says what is wrong with one', async () => {
  const form = '/settings/numbers/invoice/edit'
  const wrong = await owner.submit(form, { pattern: 'INV' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('A pattern must have one counter')
  expect((await owner.submit(form, { pattern: 'A-{000}' })).status).toBe(303)
  const { text } = await owner.get('/settings/numbers')
  expect(text).toContain('A-001')
  expect((await owner.get('/settings/numbers/letter/edit')).status).toBe(404)
})

it('sets and removes an approval limit', async () => {
  const approver = await appVisitor(world(), books.businessId, 'approver')
  const form = `/settings/approval-limits/${approver.personId}/edit`
  expect((await approver.get(form)).status).toBe(403)
  expect((await owner.submit(form, { limit: '1,500.00' })).status).toBe(303)
  expect((await owner.get('/settings/approval-limits')).text).toMatch(/1,500\.00/)
  expect(fieldsOf((await owner.get(form)).text).limit).toBe('1500.00')
  expect((await owner.submit(form, { limit: 'much' })).status).toBe(422)
  expect((await owner.submit(form, { limit: '' })).status).toBe(303)
  expect((await owner.get('/settings/approval-limits')).text).not.toMatch(/1,500\.00/)
})

it('keeps default accounts and taxes', async () => {
  const { id } = await books.taxCode('20')
  const form = '/settings/defaults'
  expect((await owner.submit(form, { salesTaxCodeId: id })).status).toBe(303)
  expect(fieldsOf((await owner.get(form)).text).salesTaxCodeId).toBe(id)
})

it('switches automatic booking on, and shows since when', async () => {
  const form = '/settings/service-money/edit'
  expect((await owner.submit(form, { isOn: 'yes', from: '2026-01-01' })).status).toBe(303)
  const { text } = await owner.get('/settings/service-money')
  expect(text).toContain('>On<')
  expect(text).toContain('2310 Payments to assign')
  expect(text).toContain('Nothing waits')
  expect(text).toContain('Yes, all that is due<')
  expect((await owner.submit(form, { isOn: 'yes', online: 'parts' })).status).toBe(303)
  const changed = await owner.get('/settings/service-money')
  expect(changed.text).toContain('Yes, all that is due or a part')
})

it('lets two accounts exchange their codes, and refuses the same code twice', async () => {
  const [sales, rent] = [books.account('4000'), books.account('6350')]
  const form = '/accounts/grid'
  const twice = await owner.submit(form, { [`code_${sales}`]: '6350' })
  expect(twice.status).toBe(422)
  expect(twice.text).toContain(`id="code_${sales}-error">Code 6350 is used twice.`)
  const answer = await owner.submit(form, {
    [`code_${sales}`]: '6350',
    [`name_${sales}`]: 'Turnover',
    [`code_${rent}`]: '4000',
  })
  expect(answer.status).toBe(303)
  const fields = fieldsOf((await owner.get(form)).text)
  expect([fields[`code_${sales}`], fields[`name_${sales}`], fields[`code_${rent}`]]).toEqual([
    '6350',
    'Turnover',
    '4000',
  ])
  const member = await appVisitor(world(), books.businessId, 'member')
  expect((await member.get(form)).status).toBe(403)
})
