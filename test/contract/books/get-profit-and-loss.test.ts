import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { exampleFacts, postExample } from '../../support/example-books.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { useContract } from '../../support/openapi.ts'

const { world, call } = useContract({ clock: manualClock(new Date('2026-06-30T12:00:00Z')) })
const path = '/books/api/v1/reports/profit-and-loss'
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
  const account = books.accounts.get(code)
  const { name, subtype } = account ?? {}
  return { account_id: books.accountId(code), code, name, subtype, amount }
}

describe('200', () => {
  it('is this year up to today where no period is named', async () => {
    expect(await report()).toEqual({
      from: '2026-01-01',
      to: '2026-06-30',
      data: {
        currency: 'EUR',
        basis: 'accrual',
        ledger_seq: exampleFacts,
        sections: [
          { key: 'income', total: 500, accounts: [row('4100', 500)] },
          { key: 'cost_of_sales', total: 150, accounts: [row('5000', 150)] },
          { key: 'other_income', total: 12.34, accounts: [row('4800', 12.34)] },
          { key: 'expenses', total: 80.5, accounts: [row('6000', 80.5)] },
        ],
        totals: {
          income: 500,
          cost_of_sales: 150,
          gross_profit: 350,
          other_income: 12.34,
          expenses: 80.5,
          net_profit: 281.84,
        },
      },
    })
  })

  it.each([
    ['?from=2026-01-20&to=2026-01-20', 500],
    ['?from=2026-01-21&to=2026-03-30', -150],
    ['?from=2026-03-31&to=2026-04-01', -68.16],
    ['?to=2026-03-30', 350],
    ['?from=2025-01-01', 981.84],
    ['?from=2025-06-16&to=2025-06-30', 0],
    ['?from=1000-01-01&to=9999-12-31', 981.84],
    ['?from=2027-01-01&to=2027-01-01', 0],
  ])('of %s has both days in it', async (query, netProfit) => {
    const { data } = await report(query)
    expect(data.totals.net_profit).toBe(netProfit)
  })

  it('has all sections, and totals of nothing, where nothing was posted', async () => {
    const { text } = await world().key({ service: 'books' })
    const { body } = await call('GET', path, { key: text })
    const keys = ['income', 'cost_of_sales', 'other_income', 'expenses']
    expect(body.data.sections).toEqual(keys.map((name) => ({ key: name, total: 0, accounts: [] })))
    expect(body.data.ledger_seq).toBe(0)
    expect(body.data.totals.net_profit).toBe(0)
  })

  it('shows the same period a year before beside it on request', async () => {
    const { data, ...period } = await report('?compare=previous_year')
    expect(period).toEqual({ from: '2026-01-01', to: '2026-06-30' })
    expect(data.comparison).toEqual({ from: '2025-01-01', to: '2025-06-30' })
    expect(data.sections[0]).toEqual({
      key: 'income',
      total: 500,
      comparison: { total: 1000 },
      accounts: [
        { ...row('4000', 0), comparison: { amount: 1000 } },
        { ...row('4100', 500), comparison: { amount: 0 } },
      ],
    })
    expect(data.totals).toMatchObject({
      net_profit: 281.84,
      comparison: { income: 1000, gross_profit: 1000, expenses: 0, net_profit: 1000 },
    })
  })

  it.each([
    // As many whole months.
    ['from=2026-04-01&to=2026-06-30', { from: '2026-01-01', to: '2026-03-31' }, 362.34],
    ['from=2026-02-01&to=2026-02-28', { from: '2026-01-01', to: '2026-01-31' }, 500],
    ['from=2026-01-01&to=2026-12-31', { from: '2025-01-01', to: '2025-12-31' }, 700],
    // Or as many days.
    ['from=2026-04-02&to=2026-04-03', { from: '2026-03-31', to: '2026-04-01' }, -68.16],
    ['from=2026-01-21&to=2026-01-21', { from: '2026-01-20', to: '2026-01-20' }, 500],
  ])('shows the period before %s beside it on request', async (query, period, netProfit) => {
    const { data } = await report(`?compare=previous_period&${query}`)
    expect(data.comparison).toEqual(period)
    expect(data.totals.comparison.net_profit).toBe(netProfit)
  })

  it.each([
    ['from=2028-02-01&to=2028-02-29', { from: '2027-02-01', to: '2027-02-28' }],
    ['from=2029-02-01&to=2029-02-28', { from: '2028-02-01', to: '2028-02-29' }],
    ['from=2028-02-29&to=2028-03-15', { from: '2027-02-28', to: '2027-03-15' }],
  ])('knows leap years: %s', async (query, period) => {
    const { data } = await report(`?compare=previous_year&${query}`)
    expect(data.comparison).toEqual(period)
  })

  it('has gains of currencies apart from what was sold, where they have an account', async () => {
    const other = await newJournal(world())
    const { id } = await runOperation(createAccount, world().context, other.owner, {
      code: '4950',
      name: 'Currency gains',
      type: 'income',
      subtype: 'fx_realised',
    })
    const { text } = await world().key({ service: 'books', businessId: other.tenant.businessId })
    const line = { accountId: id, credit: '5' }
    await runOperation(postManualJournal, world().context, other.owner, {
      date: '2026-02-01',
      description: 'A gain',
      lines: [{ accountId: other.accountId('1000'), debit: '5' }, line],
    })
    const { totals } = (await call('GET', path, { key: text })).body.data
    expect(totals).toMatchObject({ income: 0, gross_profit: 0, other_income: 5, net_profit: 5 })
  })

  it('takes today from where the organisation is', async () => {
    const other = await newJournal(world())
    const { text } = await world().key({ service: 'books', businessId: other.tenant.businessId })
    await world().database.sql`
      update books.organisations
      set time_zone = 'Pacific/Kiritimati'
      where business_id = ${other.tenant.businessId}`
    expect((await call('GET', path, { key: text })).body.to).toBe('2026-07-01')
  })

  it('has every digit of a large sum', async () => {
    const other = await newJournal(world())
    const { text } = await world().key({ service: 'books', businessId: other.tenant.businessId })
    const most = 1_000_000_000_000_000_000n
    for (let count = 0; count < 3; count += 1) {
      await other.post('2026-02-01', [
        ['1000', most - 1n],
        ['4000', 1n - most],
      ])
    }
    const { text: raw } = await call('GET', path, { key: text })
    expect(raw).toContain('"net_profit":29999999999999999.97}')
  })

  it('keeps the sandbox apart', async () => {
    const { businessId } = books.tenant
    const { text } = await world().key({ service: 'books', businessId, environment: 'test' })
    expect((await call('GET', path, { key: text })).body.data).toMatchObject({
      ledger_seq: 0,
      totals: { net_profit: 0 },
    })
  })

  it.each([['read'], ['write']])('is answered to a key that may %s', async (scope) => {
    const { text } = await world().key({ service: 'books', scopes: [scope] })
    expect((await call('GET', path, { key: text })).status).toBe(200)
  })
})

describe('304', () => {
  it('is the response if the caller already has the report, until it changes', async () => {
    const other = await newJournal(world())
    const { text } = await world().key({ service: 'books', businessId: other.tenant.businessId })
    const ask = (tag?: string) =>
      call('GET', path, { key: text, ...(tag && { headers: { 'if-none-match': tag } }) })
    await other.post('2026-02-01', [
      ['1000', 5n],
      ['4000', -5n],
    ])
    const first = await ask()
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"1-[\w-]{22}"$/)
    const second = await ask(tag)
    expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', tag])
    expect((await ask(`"other", W/${tag}`)).status).toBe(304)
    expect((await ask('*')).status).toBe(304)
    expect((await ask('"other"')).status).toBe(200)
    // Another question.
    const elsewhere = await call('GET', `${path}?to=2026-03-01`, {
      key: text,
      headers: { 'if-none-match': tag },
    })
    expect(elsewhere.status).toBe(200)
    await other.post('2026-02-01', [
      ['1000', 5n],
      ['1010', -5n],
    ])
    const changed = await ask(tag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).toMatch(/^"2-/)
  })

  it('is not the answer when an account was renamed, though nothing was posted', async () => {
    const other = await newJournal(world())
    const { text } = await world().key({ service: 'books', businessId: other.tenant.businessId })
    await other.post('2026-02-01', [
      ['1000', 5n],
      ['4000', -5n],
    ])
    const tag = (await call('GET', path, { key: text })).headers.get('etag') ?? ''
    await world().database.sql`
      update books.accounts
      set name = 'Takings'
      where id = ${other.accountId('4000')}`
    const again = await call('GET', path, { key: text, headers: { 'if-none-match': tag } })
    expect(again.status).toBe(200)
    expect(again.text).toContain('Takings')
  })
})

describe('400', () => {
  it.each([
    ['a period that ends before it begins', '?from=2026-02-02&to=2026-02-01', 'from'],
    ['a period that begins after today', '?from=2026-07-01', 'from'],
    ['a date that is none', '?from=2026-02-30', 'from'],
    ['a date with a time', '?to=2026-02-01T00:00:00Z', 'to'],
    ['a comparison that is none', '?compare=next_year', 'compare'],
    [
      'a period that has none before it',
      '?from=1000-01-01&to=9999-12-31&compare=previous_period',
      'compare',
    ],
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
