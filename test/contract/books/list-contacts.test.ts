import { describe, expect, it } from 'vitest'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract()
const path = '/books/api/v1/contacts'

async function keyWithContacts(contacts: Record<string, unknown>[]) {
  const { text } = await world().key({ service: 'books' })
  for (const body of contacts) {
    expect((await call('POST', path, { key: text, body })).status).toBe(201)
  }
  return text
}

async function names(key: string, query = ''): Promise<string[]> {
  const { status, body } = await call('GET', path + query, { key })
  expect(status).toBe(200)
  return body.data.map((contact: { name: string }) => contact.name)
}

describe('200', () => {
  it('is an empty list for a new business', async () => {
    const { text } = await world().key({ service: 'books' })
    expect((await call('GET', path, { key: text })).body).toEqual({ data: [] })
  })

  it('shows each contact as it was answered when it was made', async () => {
    const { text } = await world().key({ service: 'books' })
    const made = await call('POST', path, {
      key: text,
      body: { name: 'Adaeze Ltd', email: 'adaeze@example.com', is_supplier: true },
    })
    const { body } = await call('GET', path, { key: text })
    expect(body).toEqual({ data: [made.body] })
  })

  it('orders by name, capitals or not, and equal names by age', async () => {
    const key = await keyWithContacts(
      ['banana', 'Cherry', 'apple', 'Banana', 'APPLE 2'].map((name) => ({ name })),
    )
    expect(await names(key)).toEqual(['apple', 'APPLE 2', 'banana', 'Banana', 'Cherry'])
  })

  it('orders letters with accents beside those without, whatever the database sorts by', async () => {
    const key = await keyWithContacts(
      ['Zulu', 'Émile', 'eze', 'ÉCOLE', 'Fola', '3M', 'ọlá', 'Oke'].map((name) => ({ name })),
    )
    const ordered = ['3M', 'ÉCOLE', 'Émile', 'eze', 'Fola', 'Oke', 'ọlá', 'Zulu']
    expect(await names(key)).toEqual(ordered)
  })

  it('shows only customers, or only suppliers, when asked', async () => {
    const key = await keyWithContacts([
      { name: 'a customer' },
      { name: 'b supplier', is_customer: false, is_supplier: true },
      { name: 'c both', is_supplier: true },
      { name: 'd neither', is_customer: false },
    ])
    expect(await names(key, '?type=customer')).toEqual(['a customer', 'c both'])
    expect(await names(key, '?type=supplier')).toEqual(['b supplier', 'c both'])
    expect(await names(key)).toEqual(['a customer', 'b supplier', 'c both', 'd neither'])
  })

  it('lists more than one page of another list would hold', async () => {
    const wanted = Array.from({ length: 230 }, (_, index) => `n${String(index).padStart(3, '0')}`)
    const { text, businessId } = await world().key({ service: 'books' })
    const { ids, clock } = world().context
    const rows = wanted.map((name) => ({
      ...{ businessId, environment: 'live', id: ids.uuid(), name, isCustomer: true },
      ...{ isSupplier: false, paymentTermsDays: 30, active: true, createdAt: clock.now() },
    }))
    const { sql } = world().database
    await sql`insert into books.contacts ${sql(rows)}`
    const events = rows.map((row) => ({
      ...{ businessId, environment: 'live', id: ids.uuid(), service: 'books' },
      ...{ type: 'contact.created', objectId: row.id, data: sql.json({}), createdAt: clock.now() },
    }))
    await sql`insert into kernel.events ${sql(events)}`
    expect(await names(text)).toEqual(wanted)
  })

  it('is answered to a key that may only read', async () => {
    const { text } = await world().key({ service: 'books', scopes: ['read'] })
    expect((await call('GET', path, { key: text })).status).toBe(200)
  })

  it('keeps the contacts of live and sandbox apart', async () => {
    const businessId = await world().business()
    const live = await world().key({ service: 'books', businessId })
    const test = await world().key({ service: 'books', businessId, environment: 'test' })
    await call('POST', path, { key: live.text, body: { name: 'Live' } })
    await call('POST', path, { key: test.text, body: { name: 'Sandbox' } })
    expect(await names(live.text)).toEqual(['Live'])
    expect(await names(test.text)).toEqual(['Sandbox'])
  })
})

describe('400', () => {
  it.each([
    ['an unknown type', '?type=lead'],
    ['another case', '?type=Customer'],
    ['an empty type', '?type='],
    ['a type given twice', '?type=customer&type=supplier'],
    ['a type given twice alike', '?type=customer&type=customer'],
  ])('is the answer to %s', async (_, query) => {
    const { text } = await world().key({ service: 'books' })
    const { status, body } = await call('GET', path + query, { key: text })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_request')
    expect(body.error.formErrors).toEqual([])
    expect(Object.keys(body.error.fieldErrors)).toEqual(['type'])
  })

  it('says which types there are', async () => {
    const { text } = await world().key({ service: 'books' })
    const { body } = await call('GET', `${path}?type=lead`, { key: text })
    expect(body.error.fieldErrors.type).toEqual(['Must be one of: customer, supplier.'])
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('GET', path)).status).toBe(401)
  })
})

describe('404', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])('is the answer to %s', async (method) => {
    const { text } = await world().key({ service: 'books' })
    expect((await call(method, path, { key: text })).status).toBe(404)
  })
})
