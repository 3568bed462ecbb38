// The figures of the report pages and of their CSV are those of the interface, cell by cell.
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { postExample } from '../../support/example-books.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let viewer: AppVisitor
let key: string

beforeAll(async () => {
  books = await newJournal(world())
  await postExample(books)
  const { businessId } = books.tenant
  key = (await world().key({ service: 'books', businessId })).text
  viewer = await appVisitor(world(), businessId, 'viewer')
})

// The figures of each row by its label, as numbers.
async function shown(path: string): Promise<Map<string, number[]>> {
  const { status, text } = await viewer.get(path)
  expect(status).toBe(200)
  const rows = text.matchAll(/<tr class="statement-[a-z]+">(.*?)<\/tr>/gs)
  return new Map(
    [...rows].map(([, row = '']) => {
      const label = /<th[^>]*>(?:<a[^>]*>)?([^<]*)/.exec(row)?.[1] ?? ''
      const figures = [...row.matchAll(/<data[^>]* value="([^"]*)"/g)]
      return [label, figures.map(([, value]) => Number(value))]
    }),
  )
}

async function published(path: string) {
  const { status, body } = await world().call('GET', `/books/api/v1${path}`, { key })
  expect(status).toBe(200)
  return body.data
}

type Row = { code: string; name: string; amount: number; comparison?: { amount: number } }

const labelOf = ({ code, name }: { code: string | null; name: string }) =>
  code === null ? name : `${code} ${name}`
const figuresOf = ({ amount, comparison }: Row) =>
  comparison ? [amount, comparison.amount] : [amount]

const queries = [
  '?from=2025-01-01&to=2025-12-31',
  '?from=2026-01-01&to=2026-06-30&compare=previous_year',
  '?from=2026-02-01&to=2026-02-28&compare=previous_period',
]

describe('profit and loss', () => {
  it.each(queries)('has the published figures: %s', async (query) => {
    const path = `/reports/profit-and-loss${query}`
    const [rows, data] = [await shown(path), await published(path)]
    const accounts: Row[] = data.sections.flatMap(
      (section: { accounts: Row[] }) => section.accounts,
    )
    for (const account of accounts) {
      expect([account.code, rows.get(labelOf(account))]).toEqual([account.code, figuresOf(account)])
    }
    const { net_profit: net, gross_profit: gross, comparison } = data.totals
    const other = comparison ? [comparison.net_profit] : []
    expect(rows.get('Net profit')).toEqual([net, ...other])
    expect(rows.get('Gross profit')?.[0]).toBe(gross)
  })
})

describe('the balance sheet', () => {
  it.each(['?as_of=2025-12-31', '?as_of=2026-06-30&compare=previous_year'])(
    'has the published figures: %s',
    async (query) => {
      const path = `/reports/balance-sheet${query}`
      const [rows, data] = [await shown(path), await published(path)]
      for (const section of [data.assets, data.liabilities, data.equity]) {
        for (const group of section.groups) {
          for (const account of group.accounts as Row[]) {
            // A group of a single computed row has its name.
            if (labelOf(account) === 'Profit of this year') continue
            expect([account.name, rows.get(labelOf(account))]).toEqual([
              account.name,
              figuresOf(account),
            ])
          }
        }
      }
      expect(rows.get('Total assets')?.[0]).toBe(data.totals.assets)
      expect(rows.get('Total liabilities')?.[0]).toBe(data.totals.liabilities)
      expect(rows.get('Total equity')?.[0]).toBe(data.totals.equity)
      expect(rows.get('Profit of this year')?.[0]).toBe(data.totals.current_year_earnings)
    },
  )
})

describe('the trial balance', () => {
  it.each(['?as_of=2026-06-30', '?as_of=2025-12-31&compare=previous_year'])(
    'has the published figures: %s',
    async (query) => {
      const path = `/reports/trial-balance${query}`
      const [rows, data] = [await shown(path), await published(path)]
      for (const { debit, credit, comparison, ...account } of data.accounts) {
        const other = comparison ? [comparison.debit, comparison.credit] : []
        expect([account.name, rows.get(labelOf(account))]).toEqual([
          account.name,
          [debit, credit, ...other],
        ])
      }
      expect(rows.get('Total')?.slice(0, 2)).toEqual([data.totals.debit, data.totals.credit])
    },
  )
})

describe('drill-down', () => {
  it('leads from a figure to the lines that add up to it, and from a line to its entry', async () => {
    const account = books.accountId('4000')
    const { text } = await viewer.get('/reports/profit-and-loss?from=2025-01-01&to=2025-12-31')
    const link = `/reports/general-ledger/${account}?from=2025-01-01&to=2025-12-31`
    expect(text.replaceAll('&amp;', '&')).toContain(link)
    const ledger = await viewer.get(link)
    expect(ledger.text).toMatch(/Closing balance.*value="-1000\.00"/s)
    const entry = /href="\/b\/[^"]*(\/journal\/\d+)"/.exec(ledger.text)?.[1] ?? ''
    const shownEntry = await viewer.get(entry)
    expect(shownEntry.text).toContain('1,200.00')
    expect(shownEntry.text).toContain('4000 ')
  })

  it('finds an entry by its description and day', async () => {
    await books.post(
      '2026-06-01',
      [
        ['1000', 700n],
        ['3000', -700n],
      ],
      { description: 'Odd one' },
    )
    const found = await viewer.get('/journal?q=odd&from=2026-06-01&to=2026-06-01')
    expect(found.text).toContain('Odd one')
    expect(found.text).not.toContain('A fact')
    const none = await viewer.get('/journal?q=odd&from=2026-06-02')
    expect(none.text).toContain('No entries here')
  })

  it('refuses an entry that does not exist', async () => {
    expect((await viewer.get('/journal/99999')).status).toBe(404)
    expect((await viewer.get('/journal/x')).status).toBe(404)
  })
})

describe('profit and loss by month', () => {
  it('has the published figures of each month, and a chart', async () => {
    const query = '?from=2026-01-01&to=2026-04-30'
    const rows = await shown(`/reports/profit-and-loss${query}&columns=months`)
    const ends = ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']
    const months = ends.map((to) => `?from=${to.slice(0, 8)}01&to=${to}`)
    const nets = []
    for (const month of [...months, query]) {
      nets.push((await published(`/reports/profit-and-loss${month}`)).totals.net_profit)
    }
    expect(rows.get('Net profit')).toEqual(nets)
    const { text } = await viewer.get(`/reports/profit-and-loss${query}`)
    expect(text).toContain('aria-label="Income and costs by month"')
  })
})

describe('the balance sheet by month', () => {
  it('has the published figures of each month end, which lead to their lines', async () => {
    const rows = await shown('/reports/balance-sheet?as_of=2026-02-15&columns=months')
    const days = ['2025-03-31', '2025-12-31', '2026-01-31', '2026-02-15']
    const places = [0, 9, 10, 11]
    for (const [index, day] of days.entries()) {
      const data = await published(`/reports/balance-sheet?as_of=${day}`)
      for (const section of [data.assets, data.liabilities, data.equity]) {
        const accounts: Row[] = section.groups.flatMap(({ accounts: own }: { accounts: Row[] }) =>
          own.filter(({ code }) => code !== null),
        )
        for (const account of accounts) {
          const figure = rows.get(labelOf(account))?.[places[index] ?? 0]
          expect([day, labelOf(account), figure]).toEqual([day, labelOf(account), account.amount])
        }
      }
      expect(rows.get('Total assets')?.[places[index] ?? 0]).toBe(data.assets.total)
    }
    const { text } = await viewer.get('/reports/balance-sheet?as_of=2026-02-15&columns=months')
    expect(text).toContain('aria-label="Assets, liabilities and equity at the end of each month"')
    expect(text).toContain(`/general-ledger/${books.accountId('1000')}?until=2025-12-31"`)
  })

  it('refuses days before which there is no month', async () => {
    const { status } = await viewer.get('/reports/balance-sheet?as_of=0001-01-31&columns=months')
    expect(status).toBe(400)
  })
})

describe('drill-down of a balance', () => {
  it('leads to all lines until the day, as recorded on the same day', async () => {
    const account = books.accountId('1000')
    const query = '?as_of=2025-12-31&recorded_on=2099-12-31'
    const { text } = await viewer.get(`/reports/balance-sheet${query}`)
    expect(text).toContain('As recorded on')
    const link = `/reports/general-ledger/${account}?until=2025-12-31&recorded_on=2099-12-31`
    expect(text.replaceAll('&amp;', '&')).toContain(link)
    const ledger = await viewer.get(link)
    expect(ledger.text).toContain('Until 31 Dec 2025')
    expect(ledger.text).not.toContain('1900')
    expect(ledger.text).toMatch(/Closing balance.*value="9700\.00"/s)
    const before = await viewer.get(link.replace('2099', '2020'))
    expect(before.text).toMatch(/Closing balance.*value="0\.00"/s)
  })
})

it('downloads what the page shows', async () => {
  const { text, headers } = await viewer.get('/reports/trial-balance.csv?as_of=2025-12-31')
  expect(headers.get('content-disposition')).toContain('trial-balance-2025-12-31.csv')
  const data = await published('/reports/trial-balance?as_of=2025-12-31')
  const rows = text.trimEnd().split('\r\n')
  expect(rows).toHaveLength(data.accounts.length + 2)
  expect(rows.at(-1)).toBe(
    `,Total,${data.totals.debit.toFixed(2)},${data.totals.credit.toFixed(2)}`,
  )
})

it('says what is wrong with a period', async () => {
  const { status, text } = await viewer.get(
    '/reports/profit-and-loss?from=2026-03-01&to=2026-01-01',
  )
  expect(status).toBe(400)
  expect(text).toContain('Must not be after')
})
