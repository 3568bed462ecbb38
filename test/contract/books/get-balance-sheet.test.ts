import { beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { exampleFacts, postExample } from '../../support/example-books.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract({ clock: manualClock(new Date('2026-06-30T12:00:00Z')) })
const path = '/books/api/v1/reports/balance-sheet'
let books: Books
let key: string

beforeAll(async () => {
  books = await newJournal(world())
  await postExample(books)
  key = (await world().key({ service: 'books', businessId: books.tenant.businessId })).text
})

const report = async (query = '') => {
  const answer = await call('GET', path + query, { key })
  expect(answer.status).toBe(200)
  return answer.body
}
const row = (code: string, amount: number) => {
  const { name, subtype } = books.accounts.get(code) ?? {}
  return { account_id: books.accountId(code), code, name, subtype, amount }
}
const computed = (name: string, amount: number) => ({
  account_id: null,
  code: null,
  name,
  subtype: 'retained_earnings',
  amount,
})

describe('200', () => {
  it('is of today where no day is named', async () => {
    expect(await report()).toEqual({
      as_of: '2026-06-30',
      data: {
        currency: 'EUR',
        fiscal_year_start: '2026-01-01',
        ledger_seq: exampleFacts,
        assets: {
          total: 11_712.34,
          groups: [
            {
              key: 'current_assets',
              total: 11_712.34,
              accounts: [row('1000', 9662.34), row('1200', 250), row('1400', 1800)],
            },
            { key: 'fixed_assets', total: 0, accounts: [] },
            { key: 'non_current_assets', total: 0, accounts: [] },
          ],
        },
        liabilities: {
          total: 780.5,
          groups: [
            {
              key: 'current_liabilities',
              total: 780.5,
              accounts: [row('2100', 300), row('2200', 480.5)],
            },
            { key: 'non_current_liabilities', total: 0, accounts: [] },
          ],
        },
        equity: {
          total: 10_931.84,
          groups: [
            { key: 'share_capital', total: 10_000, accounts: [row('3000', 10_000)] },
            { key: 'other_equity', total: 0, accounts: [] },
            {
              key: 'retained_earnings',
              total: 650,
              accounts: [row('3200', -50), computed('Profit of earlier years', 700)],
            },
            {
              key: 'current_year_earnings',
              total: 281.84,
              accounts: [computed('Profit of this year', 281.84)],
            },
          ],
        },
        totals: {
          assets: 11_712.34,
          liabilities: 780.5,
          equity: 10_931.84,
          retained_earnings: 650,
          current_year_earnings: 281.84,
        },
        check: 0,
      },
    })
  })

  it.each([
    ['2026-06-30', 4, 1012.34, -80.5],
    ['2026-03-31', 4, 0, 1062.34],
    ['2026-04-01', 4, 1062.34, -80.5],
    ['2026-01-01', 1, 700, 0],
    ['2025-12-31', 1, 0, 700],
    ['2025-02-09', 1, 0, 0],
    ['9999-12-31', 1, 931.84, 0],
  ])(
    'as of %s, in a year that begins in month %s, balances',
    async (day, month, retained, current) => {
      const { sql } = world().database
      const { businessId } = books.tenant
      const begin = (startMonth: number) => sql`
        update books.organisations
        set fiscal_year_start_month = ${startMonth}
        where business_id = ${businessId}`
      await begin(month)
      const { data } = await report(`?as_of=${day}`)
      await begin(1)
      expect(data.totals).toMatchObject({
        retained_earnings: retained,
        current_year_earnings: current,
      })
      expect(data.check).toBe(0)
    },
  )

  it('shows another day beside it on request', async () => {
    const { data } = await report('?compare=previous_year')
    expect(data.comparison).toEqual({
      as_of: '2025-06-30',
      fiscal_year_start: '2025-01-01',
      check: 0,
    })
    expect(data.totals.comparison).toEqual({
      assets: 11_600,
      liabilities: 600,
      equity: 11_000,
      retained_earnings: 0,
      current_year_earnings: 1000,
    })
    expect(data.assets.groups[0].accounts[0]).toEqual({
      ...row('1000', 9662.34),
      comparison: { amount: 10_000 },
    })
    const month = await report('?as_of=2026-02-28&compare=previous_period')
    expect(month.data.comparison.as_of).toBe('2026-01-31')
  })

  it('has all groups where nothing was posted', async () => {
    const { text } = await world().key({ service: 'books' })
    const { body } = await call('GET', path, { key: text })
    expect(body.data.assets.groups).toHaveLength(3)
    expect(body.data.liabilities.groups).toHaveLength(2)
    expect(body.data.equity.groups).toHaveLength(4)
    expect(body.data.check).toBe(0)
  })

  it('keeps the sandbox apart', async () => {
    const { businessId } = books.tenant
    const { text } = await world().key({ service: 'books', businessId, environment: 'test' })
    expect((await call('GET', path, { key: text })).body.data.totals.assets).toBe(0)
  })
})

describe('304', () => {
  it('is the response if the caller already has the report', async () => {
    const first = await call('GET', path, { key })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await call('GET', path, { key, headers })).status).toBe(304)
  })
})

describe('400', () => {
  it.each([
    ['a date that is none', '?as_of=2026-02-29', 'as_of'],
    ['a comparison that is none', '?compare=previous', 'compare'],
  ])('is the answer to %s', async (_, query, field) => {
    const { status, body } = await call('GET', path + query, { key })
    expect(status).toBe(400)
    expect(Object.keys(body.error.fieldErrors)).toEqual([field])
  })
})

describe('401', () => {
  it('is the answer without a key', async () => {
    expect((await call('GET', path)).status).toBe(401)
  })
})
