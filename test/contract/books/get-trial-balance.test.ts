import { beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../support/clock.ts'
import { exampleFacts, postExample } from '../../support/example-books.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract({ clock: manualClock(new Date('2026-06-30T12:00:00Z')) })
const path = '/books/api/v1/reports/trial-balance'
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
const row = (code: string, balance: number, lifetime = balance) => {
  const { name, type, subtype } = books.accounts.get(code) ?? {}
  const sides = { debit: Math.max(balance, 0), credit: Math.max(-balance, 0) }
  return {
    account_id: books.accountId(code),
    code,
    name,
    type,
    subtype,
    ...sides,
    balance,
    lifetime,
  }
}
const earlierYears = (credit: number) => ({
  account_id: null,
  code: null,
  name: 'Retained earnings of earlier years',
  type: 'equity',
  subtype: 'retained_earnings',
  debit: 0,
  credit,
  balance: 0 - credit,
  lifetime: 0,
})

async function beginFiscalYearIn(month: number): Promise<void> {
  await world().database.sql`
    update books.organisations
    set fiscal_year_start_month = ${month}
    where business_id = ${books.tenant.businessId}`
}

describe('200', () => {
  it('is of today where no day is named', async () => {
    expect(await report()).toEqual({
      as_of: '2026-06-30',
      data: {
        currency: 'EUR',
        fiscal_year_start: '2026-01-01',
        ledger_seq: exampleFacts,
        accounts: [
          row('1000', 9662.34),
          row('1200', 250),
          row('1400', 1800),
          row('2100', -300),
          row('2200', -480.5),
          row('3000', -10_000),
          row('3200', 50),
          row('4000', 0, -1000),
          row('4100', -500),
          row('4800', -12.34),
          row('5000', 150),
          row('6000', 80.5),
          row('6350', 0, 300),
          earlierYears(700),
        ],
        totals: { debit: 11_992.84, credit: 11_992.84, difference: 0 },
      },
    })
  })

  it.each([
    ['2026-04-01', 1, '2026-01-01', 700],
    ['2026-04-01', 4, '2026-04-01', 1062.34],
    ['2026-03-31', 4, '2025-04-01', 0],
    ['2025-12-31', 1, '2025-01-01', 0],
    ['2026-01-01', 1, '2026-01-01', 700],
    ['2025-07-01', 7, '2025-07-01', 1000],
    ['2026-06-30', 12, '2025-12-01', 700],
  ])(
    'as of %s, in a year that begins in month %s, knows what was earned before',
    async (day, month, start, before) => {
      await beginFiscalYearIn(month)
      const { as_of, data } = await report(`?as_of=${day}`)
      await beginFiscalYearIn(1)
      expect(as_of).toBe(day)
      expect(data.fiscal_year_start).toBe(start)
      expect(data.accounts.at(-1)).toEqual(earlierYears(before))
      expect(data.totals.difference).toBe(0)
      const lifetimes = data.accounts.map((one: { lifetime: number }) => one.lifetime)
      const sum = lifetimes.reduce((total: number, one: number) => total + Math.round(one * 100), 0)
      expect(sum).toBe(0)
    },
  )

  it('shows another day beside it on request', async () => {
    const { data } = await report('?as_of=2026-05-31&compare=previous_period')
    expect(data.comparison).toEqual({ as_of: '2026-04-30', fiscal_year_start: '2026-01-01' })
    expect(data.accounts.find(({ code }: { code: string }) => code === '3200')).toEqual({
      ...row('3200', 50),
      comparison: { debit: 0, credit: 0, balance: 0, lifetime: 0 },
    })
    expect(data.totals.comparison).toMatchObject({ difference: 0 })
    const yearBefore = await report('?as_of=2026-06-30&compare=previous_year')
    expect(yearBefore.data.comparison).toEqual({
      as_of: '2025-06-30',
      fiscal_year_start: '2025-01-01',
    })
    expect(yearBefore.data.totals.comparison).toEqual({
      debit: 11_600,
      credit: 11_600,
      difference: 0,
    })
  })

  it('is the row of earlier years alone where nothing was posted', async () => {
    const { text } = await world().key({ service: 'books' })
    const { body } = await call('GET', path, { key: text })
    expect(body.data.accounts).toEqual([earlierYears(0)])
    expect(body.data.totals).toEqual({ debit: 0, credit: 0, difference: 0 })
  })

  it('keeps the sandbox apart', async () => {
    const { businessId } = books.tenant
    const { text } = await world().key({ service: 'books', businessId, environment: 'test' })
    expect((await call('GET', path, { key: text })).body.data.ledger_seq).toBe(0)
  })
})

describe('304', () => {
  it('is the response if the caller already has the report', async () => {
    const first = await call('GET', path, { key })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await call('GET', path, { key, headers })).status).toBe(304)
    expect((await call('GET', `${path}?as_of=2026-01-01`, { key, headers })).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    ['a date that is none', '?as_of=2026-13-01', 'as_of'],
    ['an empty date', '?as_of=', 'as_of'],
    ['a comparison that is none', '?compare=yes', 'compare'],
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
