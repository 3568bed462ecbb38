import { describe, expect, it } from 'vitest'
import { defaultChart } from '../../../src/books/accounts/default-chart.ts'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract()
const path = '/books/api/v1/accounts'

describe('200', () => {
  it('is the default chart of a new business, ordered by code', async () => {
    const { text } = await world().key({ service: 'books' })
    const { status, body } = await call('GET', path, { key: text })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    const codes = body.data.map((account: { code: string }) => account.code)
    expect(codes).toEqual([...codes].sort())
    expect(body.data).toHaveLength(defaultChart.length)
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      code: '1000',
      name: 'Bank account',
      type: 'asset',
      subtype: 'bank',
      active: true,
    })
  })

  it('has the accounts that sales, purchases and tax are posted to', async () => {
    const { text } = await world().key({ service: 'books' })
    const { body } = await call('GET', path, { key: text })
    const subtypes = new Set(body.data.map((account: { subtype: string }) => account.subtype))
    for (const subtype of ['receivable', 'payable', 'tax', 'sales', 'retained_earnings']) {
      expect(subtypes).toContain(subtype)
    }
    const types = new Set(body.data.map((account: { type: string }) => account.type))
    expect([...types].sort()).toEqual(['asset', 'equity', 'expense', 'income', 'liability'])
  })

  it('orders codes as text, whatever their length and case', async () => {
    const { text, businessId } = await world().key({ service: 'books' })
    const { ids, clock } = world().context
    for (const code of ['10', '9', '100-a', '100-B', '2']) {
      await world().database.sql`
        insert into books.accounts
          (business_id, environment, id, code, name, type, subtype, is_system, active, created_at)
        values (${businessId}, 'live', ${ids.uuid()}, ${code}, 'Added', 'asset', 'bank', false,
          true, ${clock.now()})`
    }
    const { body } = await call('GET', path, { key: text })
    const added = body.data.filter((account: { name: string }) => account.name === 'Added')
    expect(added.map((account: { code: string }) => account.code)).toEqual([
      '10',
      '100-B',
      '100-a',
      '2',
      '9',
    ])
  })

  it('keeps the ids from one call to the next', async () => {
    const { text } = await world().key({ service: 'books' })
    const first = await call('GET', path, { key: text })
    const second = await call('GET', path, { key: text })
    expect(second.body).toEqual(first.body)
    const ids = first.body.data.map((account: { id: string }) => account.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is its own chart for sandbox keys', async () => {
    const businessId = await world().business()
    const live = await world().key({ service: 'books', businessId })
    const test = await world().key({ service: 'books', businessId, environment: 'test' })
    const idsOf = async (key: string) =>
      (await call('GET', path, { key })).body.data.map((account: { id: string }) => account.id)
    const liveIds = new Set(await idsOf(live.text))
    const testIds = await idsOf(test.text)
    expect(testIds).toHaveLength(defaultChart.length)
    expect(testIds.filter((id: string) => liveIds.has(id))).toEqual([])
  })

  it('is answered to a key that may only read', async () => {
    const { text } = await world().key({ service: 'books', scopes: ['read'] })
    expect((await call('GET', path, { key: text })).status).toBe(200)
  })
})

describe('400', () => {
  it('is the answer to limit and offset: there is no paging', async () => {
    const { text } = await world().key({ service: 'books' })
    const { status, body } = await call('GET', `${path}?limit=1&offset=5`, { key: text })
    expect([status, Object.keys(body.error.fieldErrors)]).toEqual([400, ['limit', 'offset']])
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('GET', path)).status).toBe(401)
  })

  it('is the answer to a key of the merchant service', async () => {
    const { text } = await world().key({ service: 'merchant' })
    expect((await call('GET', path, { key: text })).status).toBe(401)
  })
})

describe('404', () => {
  it('is the answer to POST: the chart is kept in the application', async () => {
    const { text } = await world().key({ service: 'books' })
    expect((await call('POST', path, { key: text, body: {} })).status).toBe(404)
  })
})
