import { describe, expect, it } from 'vitest'
import { documentStatuses } from '../../../src/books/documents/document-status.ts'
import { newBooks } from '../../support/documents.ts'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract()
const path = '/books/api/v1/invoices'

async function shop() {
  const books = await newBooks(world())
  const key = await books.key(['read'])
  const list = async (query = '') => call('GET', `${path}${query}`, { key })
  const ids = async (query = '') =>
    (await list(query)).body.data.map(({ id }: { id: string }) => id) as string[]
  return { ...books, list, ids }
}

describe('200', () => {
  it('is an empty page before there is anything', async () => {
    const { list } = await shop()
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toEqual({ data: [], total: 0, limit: 50, offset: 0, has_more: false })
  })

  it('shows invoices and credit notes, without lines, and nothing of the purchases', async () => {
    const { list, draft } = await shop()
    const invoice = await draft('invoice')
    const credit = await draft('credit_note')
    await draft('bill')
    await draft('supplier_credit')
    await draft('expense_claim')
    const { body } = await list()
    expect(body.total).toBe(2)
    expect(body.data.map(({ id, kind }: { id: string; kind: string }) => [id, kind])).toEqual([
      [credit.id, 'credit_note'],
      [invoice.id, 'invoice'],
    ])
    expect(body.data[0]).not.toHaveProperty('lines')
    expect(body.data[0]).toMatchObject({ total: 100, amount_due: 100, status: 'draft' })
  })

  it('is newest first: by date, then by when they were made', async () => {
    const { ids, draft } = await shop()
    const dates = ['2026-01-02', '2026-01-01', '2026-01-03', '2026-01-01']
    const made: string[] = []
    for (const date of dates) made.push((await draft('invoice', { date })).id)
    expect(await ids()).toEqual([made[2], made[0], made[3], made[1]])
  })

  it('is cut into pages that overlap nowhere and leave nothing out', async () => {
    const { ids, list, draft, contact } = await shop()
    const contact_id = (await contact()).id
    for (let index = 0; index < 7; index += 1) await draft('invoice', { contactId: contact_id })
    const all = await ids()
    const pages = [await ids('?limit=3'), await ids('?limit=3&offset=3'), await ids('?offset=6')]
    expect(pages.flat()).toEqual(all)
    const figures = async (query: string) => {
      const { data, ...rest } = (await list(query)).body
      return { ...rest, shown: data.length }
    }
    expect(await figures('?limit=3')).toEqual({
      total: 7,
      limit: 3,
      offset: 0,
      has_more: true,
      shown: 3,
    })
    expect(await figures('?limit=3&offset=4')).toMatchObject({ has_more: false, shown: 3 })
    expect(await figures('?offset=7')).toMatchObject({ total: 7, has_more: false, shown: 0 })
    expect(await figures('?limit=200')).toMatchObject({ limit: 200, shown: 7 })
  })

  it('can be cut down by status, customer and days, together', async () => {
    const { ids, draft, contact } = await shop()
    const [ada, bola] = [await contact(), await contact()]
    const early = await draft('invoice', { contactId: ada.id, date: '2026-01-01' })
    const late = await draft('invoice', { contactId: ada.id, date: '2026-01-31' })
    const other = await draft('invoice', { contactId: bola.id, date: '2026-01-31' })
    expect(await ids(`?contact_id=${ada.id}`)).toEqual([late.id, early.id])
    expect(await ids('?from=2026-01-02')).toEqual([other.id, late.id])
    expect(await ids('?to=2026-01-30')).toEqual([early.id])
    // Both days are in it.
    expect(await ids('?from=2026-01-31&to=2026-01-31')).toEqual([other.id, late.id])
    expect(await ids(`?from=2026-01-02&contact_id=${ada.id}&status=draft`)).toEqual([late.id])
    expect(await ids(`?from=2026-01-02&contact_id=${ada.id}&status=paid`)).toEqual([])
    expect(await ids(`?contact_id=${world().context.ids.uuid()}`)).toEqual([])
  })

  it.each(documentStatuses)('takes the status %s', async (status) => {
    const { list } = await shop()
    expect((await list(`?status=${status}`)).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    ['an unknown status', 'status', 'status=overdue'],
    ['a contact that is no UUID', 'contact_id', 'contact_id=ada'],
    ['a day that is none', 'from', 'from=2026-02-30'],
    ['a day in another form', 'to', 'to=31.01.2026'],
    ['days in the wrong order', 'from', 'from=2026-02-02&to=2026-02-01'],
    ['a limit of nothing', 'limit', 'limit=0'],
    ['a limit above 200', 'limit', 'limit=201'],
    ['a limit that is no number', 'limit', 'limit=all'],
    ['an empty limit', 'limit', 'limit='],
    ['an offset below zero', 'offset', 'offset=-1'],
    ['an offset with decimals', 'offset', 'offset=1.5'],
    ['an offset of ten digits', 'offset', 'offset=1000000000'],
  ])('is the answer to %s', async (_, field, query) => {
    const { list } = await shop()
    const { status, body } = await list(`?${query}`)
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual([field])
  })
})
