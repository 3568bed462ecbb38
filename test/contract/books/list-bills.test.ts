import { describe, expect, it } from 'vitest'
import { newBooks } from '../../support/documents.ts'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract()
const path = '/books/api/v1/bills'

describe('200', () => {
  it('shows bills, supplier credits and expense claims, and no sales', async () => {
    const books = await newBooks(world())
    const key = await books.key(['read'])
    for (const kind of ['bill', 'supplier_credit', 'expense_claim', 'invoice'] as const) {
      await books.draft(kind)
    }
    await books.draft('credit_note')
    const { status, body } = await call('GET', path, { key })
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 3, limit: 50, offset: 0, has_more: false })
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual([
      'expense_claim',
      'supplier_credit',
      'bill',
    ])
  })

  it('has the same parameters as the list of invoices, together', async () => {
    const books = await newBooks(world())
    const key = await books.key(['read'])
    const supplier = await books.contact()
    const contact_id = supplier.id
    await books.draft('bill', { contactId: contact_id, date: '2026-01-01' })
    const wanted = await books.draft('bill', { contactId: contact_id, date: '2026-01-02' })
    await books.draft('bill', { contactId: contact_id, date: '2026-01-03' })
    await books.draft('bill', { date: '2026-01-02' })
    const query = `?status=draft&contact_id=${contact_id}&from=2026-01-02&to=2026-01-03&limit=1`
    const { body } = await call('GET', `${path}${query}&offset=1`, { key })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([wanted.id])
    expect(body).toMatchObject({ total: 2, limit: 1, offset: 1, has_more: false })
  })
})

describe('400', () => {
  it.each([
    ['status', 'status=open'],
    ['contact_id', 'contact_id=1'],
    ['from', 'from=2026-02-02&to=2026-02-01'],
    ['limit', 'limit=201'],
    ['offset', 'offset=x'],
  ])('names %s where it is wrong', async (field, query) => {
    const key = await (await newBooks(world())).key(['read'])
    const { status, body } = await call('GET', `${path}?${query}`, { key })
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual([field])
  })
})
