// Businesses with more contacts and items than the page of the editor lists.
import { beforeAll, describe, expect, it } from 'vitest'
import { updateContact } from '../../../src/books/contacts/update-contact.ts'
import { getDocument } from '../../../src/books/documents/get-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const count = 60
const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(3, '0'))

let books: Books
let owner: AppVisitor

beforeAll(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
  for (const number of numbers) {
    await books.contact({ name: `Shop ${number}`, paymentTermsDays: 14 })
    await books.item({ code: `P-${number}`, name: `Part ${number}`, salesUnitPrice: '5' })
  }
})

async function choices(path: string) {
  const { status, text } = await owner.get(`/choices/${path}`)
  expect(status).toBe(200)
  return JSON.parse(text) as Record<'contacts' | 'items', { name: string; isShared?: boolean }[]>
}

const line = {
  'line-0-description': 'Work',
  'line-0-unitPrice': '10',
  'line-0-account': '4000',
}

describe('the pickers', () => {
  it('find contacts by a part of the name, those that begin with it first', async () => {
    await books.contact({ name: 'A shop 05 of another chain' })
    const { contacts } = await choices('sales/contacts?q=shop+05')
    expect(contacts.map(({ name }) => name)).toEqual([
      ...numbers.slice(50).map((number) => `Shop ${number}`),
      'A shop 05 of another chain',
    ])
  })

  it('find items by code or name, and no more than a list holds', async () => {
    const { items } = await choices('sales/items?q=p-059')
    expect(items).toMatchObject([{ code: 'P-059', name: 'Part 059', unitPrice: '5' }])
    expect((await choices('purchases/items?q=part')).items).toHaveLength(20)
    expect((await choices('sales/items?q=100%25')).items).toEqual([])
  })

  it('offer only who is active and of the right kind', async () => {
    const gone = await books.contact({ name: 'Gone Ltd' })
    await runOperation(updateContact, world().context, books.owner, {
      id: gone.id,
      active: false,
    })
    await books.contact({ name: 'Gone supplier', isCustomer: false })
    expect((await choices('sales/contacts?q=gone')).contacts).toEqual([])
    expect((await choices('purchases/contacts?q=gone')).contacts).toHaveLength(1)
    expect((await owner.get('/choices/sales/people')).status).toBe(404)
    expect((await owner.get('/choices/rent/items')).status).toBe(404)
  })
})

describe('a form without JavaScript', () => {
  it('names a contact and an item that the page does not list', async () => {
    const page = await owner.get('/invoices/new')
    expect(page.text).not.toContain('Shop 059')
    const answer = await owner.submit('/invoices/new', {
      contact: 'shop 059',
      'line-0-item': 'p-058',
    })
    expect(answer.status).toBe(303)
    const path = answer.headers.get('location')?.slice(`/b/${books.businessId}`.length) ?? ''
    const id = path.split('/').at(-1) ?? ''
    const document = await runOperation(getDocument, world().context, books.owner, { id })
    expect(document).toMatchObject({ totalMinor: 500n, lines: [{ description: 'Part 058' }] })
    expect(fieldsOf((await owner.get(`${path}/edit`)).text)).toMatchObject({
      contact: 'Shop 059',
      'line-0-item': 'P-058 Part 058',
    })
  })

  it('says what is similar to a name that no one has', async () => {
    const answer = await owner.submit('/invoices/new', { ...line, contact: 'hop 059' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('No such contact. Did you mean Shop 059?')
    expect(answer.text).toContain('<option value="Shop 059"')
  })

  it('asks which of two contacts of the same name is meant', async () => {
    const [one] = [await books.contact({ name: 'Twin' }), await books.contact({ name: 'twin' })]
    const answer = await owner.submit('/invoices/new', { ...line, contact: 'Twin' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(`Choose one: Twin (${one.id.slice(-6)})`)
    const chosen = { ...line, contact: `Twin (${one.id.slice(-6)})` }
    expect((await owner.submit('/invoices/new', chosen)).status).toBe(303)
  })
})
