// The journal as text, checked by Debian's `ledger`.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountNames } from '../../../src/books/export/account-names.ts'
import { type ExportFormat, exportFormats } from '../../../src/books/export/journal-text.ts'
import { listJournalText } from '../../../src/books/export/list-journal-text.ts'
import { reportTrialBalance } from '../../../src/books/reports/get-trial-balance.ts'
import { findCurrency } from '../../../src/kernel/money/currency.ts'
import { type Decimal, toText } from '../../../src/kernel/money/decimal.ts'
import { majorText } from '../../../src/kernel/money/minor-units.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newJournal, type TestLine } from '../../support/journal.ts'
import { type LedgerBalances, ledgerBalances } from '../../support/ledger.ts'
import { postingsRead } from '../../support/text-accounting.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

async function exported(books: Books, format: ExportFormat): Promise<string> {
  const pieces: string[] = []
  for await (const piece of listJournalText(world().context, books.tenant, format)) {
    pieces.push(piece)
  }
  return pieces.join('')
}

async function names(books: Books): Promise<Map<string, string>> {
  return accountNames([...books.accounts.values()])
}

const decimalsOf = (code: string) => findCurrency(code)?.decimals ?? 2

describe('ledger', () => {
  const currencies = ['EUR', 'USD', 'JPY', 'KWD']
  const codes = ['1000', '1010', '1100', '2000', '2100', '3000', '4000', '5000', '6350', '6900']
  const line = fc.record({
    code: fc.constantFrom(...codes),
    baseMinor: fc.bigInt({ min: -5_000_000_00n, max: 5_000_000_00n }),
    currency: fc.constantFrom(...currencies),
    foreignMinor: fc.bigInt({ min: 0n, max: 9_000_000_000n }),
    isOdd: fc.boolean(),
  })
  const entry = fc.record({
    date: fc.constantFrom('2024-02-29', '2025-12-31', '2026-01-01', '2026-06-30'),
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    description: fc.constantFrom(
      'Sale',
      'One; two | three',
      '  (odd) * "quoted" \\ text\n',
      '€ Ωδή',
    ),
  })

  test('agrees with the trial balance to the minor unit, in the base currency and in each', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom('EUR', 'JPY', 'KWD'),
      fc.array(entry, { minLength: 1, maxLength: 8 }),
      async (baseCurrency, entries) => {
        const books = await newJournal(world(), { baseCurrency })
        const expected: LedgerSums = new Map()
        for (const { date, lines, description } of entries) {
          const made = balanced(lines, baseCurrency)
          if (made.length < 2) continue
          await books.post(date, made, { description })
          for (const [code, baseMinor, own] of made) {
            add(expected, code, ...held(baseMinor, own, baseCurrency))
          }
        }
        const journal = await exported(books, 'ledger')
        expect(await ledgerBalances(journal, true)).toEqual(await lifetimes(books, baseCurrency))
        expect(await ledgerBalances(journal, false)).toEqual(await present(books, expected))
      },
    )
    await fc.assert(property, { numRuns: 12, endOnFailure: true })
  })

  type LedgerSums = Map<string, Map<string, bigint>>

  // What a line holds of which currency: one that moves no foreign money is of the base currency.
  function held(
    baseMinor: bigint,
    own: TestLine[2],
    baseCurrency: string,
  ): [currency: string, minor: bigint][] {
    const { currency = baseCurrency, amountMinor = baseMinor } = own ?? {}
    if (currency === baseCurrency || amountMinor === 0n) return [[baseCurrency, baseMinor]]
    const isSameWay = baseMinor === 0n || amountMinor > 0n === baseMinor > 0n
    return isSameWay
      ? [[currency, amountMinor]]
      : [
          [currency, amountMinor],
          [baseCurrency, baseMinor],
        ]
  }

  function add(sums: LedgerSums, code: string, ...parts: [string, bigint][]) {
    const own = sums.get(code) ?? new Map<string, bigint>()
    for (const [currency, minor] of parts) own.set(currency, (own.get(currency) ?? 0n) + minor)
    sums.set(code, own)
  }

  async function present(books: Books, sums: LedgerSums): Promise<LedgerBalances> {
    const named = await names(books)
    const balances: LedgerBalances = {}
    for (const [code, amounts] of sums) {
      const own = [...amounts].filter(([, minor]) => minor !== 0n)
      if (own.length === 0) continue
      balances[named.get(books.accountId(code)) ?? ''] = Object.fromEntries(
        own.map(([currency, minor]) => [currency, majorText(minor, decimalsOf(currency))]),
      )
    }
    return balances
  }

  async function lifetimes(books: Books, baseCurrency: string): Promise<LedgerBalances> {
    const named = await names(books)
    const { data } = await runOperation(reportTrialBalance, world().context, books.owner, {
      asOf: '9999-12-31',
    })
    const rows = data.accounts.filter(({ lifetime }) => lifetime.digits !== 0n)
    return Object.fromEntries(
      rows.map(({ account_id, lifetime }) => [
        named.get(account_id ?? ''),
        { [baseCurrency]: text(lifetime, baseCurrency) },
      ]),
    )
  }

  const text = (value: Decimal, currency: string) => toText(value, decimalsOf(currency))

  type Made = typeof line extends fc.Arbitrary<infer Value> ? Value : never

  // Lines as they can be: foreign ones mostly go the way of their base amount; the last line makes
  // up what is missing.
  function balanced(lines: readonly Made[], baseCurrency: string): TestLine[] {
    const made: TestLine[] = lines.map(({ code, baseMinor, currency, foreignMinor, isOdd }) => {
      if (currency === baseCurrency) return [code, baseMinor]
      const sign = baseMinor < 0n === isOdd && foreignMinor % 7n === 0n ? -1n : 1n
      const amountMinor = sign * (baseMinor < 0n ? -foreignMinor : foreignMinor)
      return [code, baseMinor, { currency, amountMinor, description: 'A line; with a semicolon' }]
    })
    const sum = made.reduce((total, [, baseMinor]) => total + baseMinor, 0n)
    const whole: TestLine[] = [...made, ['1050', -sum]]
    return whole.filter(([, baseMinor, own]) => baseMinor !== 0n || (own?.amountMinor ?? 0n) !== 0n)
  }

  test('refuses the export when one line of it is changed by a minor unit', async () => {
    const books = await newJournal(world())
    await books.post('2026-01-31', [
      ['1000', 31_000n, { currency: 'USD', amountMinor: 33_333n }],
      ['4000', -31_000n],
    ])
    const journal = await exported(books, 'ledger')
    expect(journal).toContain('Assets:1000-Bank-Account  333.33 USD @@ 310.00 EUR\n')
    await ledgerBalances(journal, true)
    const changed = journal.replace('@@ 310.00 EUR', '@@ 310.01 EUR')
    await expect(ledgerBalances(changed, true)).rejects.toThrow('Transaction does not balance')
  })
})

// A price per unit in the base currency has more digits than a program keeps, and no line of such
// an entry shows how exact the base currency is.
test('beancount reads an entry whose lines are all foreign', async () => {
  const books = await newJournal(world())
  await books.post('2026-01-31', [
    ['1100', 133_52n, { currency: 'KWD', amountMinor: 46_040n }],
    ['4000', -29_03n, { currency: 'KWD', amountMinor: -10_010n }],
    ['4000', -31_93n, { currency: 'KWD', amountMinor: -11_010n }],
    ['4000', -34_83n, { currency: 'KWD', amountMinor: -12_010n }],
    ['4000', -37_73n, { currency: 'KWD', amountMinor: -13_010n }],
  ])
  const journal = await exported(books, 'beancount')
  expect(await postingsRead('beancount', journal)).toHaveLength(5)
  const changed = journal.replace('@@ 133.52 EUR', '@@ 133.51 EUR')
  await expect(postingsRead('beancount', changed)).rejects.toThrow('does not balance')
})

describe('the text', () => {
  test.each(exportFormats)('for %s is what that program reads', async (format) => {
    const books = await newJournal(world())
    const sourceId = '0190a000-0000-7000-8000-000000000001'
    await books.post(
      '2026-01-31',
      [
        ['1100', 31_000n, { currency: 'USD', amountMinor: 33_333n, description: 'Said "yes"' }],
        ['4000', -31_000n],
      ],
      { sourceId, description: 'Sale; a | b' },
    )
    await books.post(
      '2025-12-31',
      [
        ['1000', -5n, { currency: 'JPY', amountMinor: 0n }],
        ['6900', 5n],
      ],
      { sourceId },
    )
    const text = await exported(books, format)
    const entries = text.slice(text.indexOf('\n\n') + 2)
    await expect(entries).toMatchFileSnapshot(`__snapshots__/journal.${format}`)
    const header = text.slice(0, text.indexOf('\n\n')).split('\n')
    expect(header).toContain(
      {
        ledger: 'commodity USD',
        hledger: 'commodity 1000.00 USD',
        beancount: '2025-12-31 commodity USD',
      }[format],
    )
    if (format === 'hledger') expect(header).toContain('commodity 1000. JPY')
    const directive = { ledger: 'account', hledger: 'account', beancount: '2025-12-31 open' }[
      format
    ]
    expect(header).toContain(`${directive} Assets:1100-Accounts-Receivable`)
    expect(header).toContain(`${directive} Expenses:6900-Realised-Currency-Gains-And-Losses`)
  })

  test('of a journal longer than one piece has every entry, and none that came meanwhile', async () => {
    const books = await newJournal(world())
    const { businessId } = books.tenant
    await books.post('2026-01-31', [
      ['1000', 5n],
      ['4000', -5n],
    ])
    await world().database.transaction(async (tx) => {
      await tx`
        insert into books.journal_entries
        select business_id, environment, number, gen_random_uuid(), kind, source_id, null, date,
          description, line_count, posted_by_kind, posted_by, posted_at, hash
        from books.journal_entries
        cross join generate_series(2, 2500) as number
        where business_id = ${businessId}`
      await tx`
        insert into books.journal_lines
        select business_id, environment, number, position, date, account_id, base_minor, currency,
          amount_minor
        from books.journal_lines
        cross join generate_series(2, 2500) as number
        where business_id = ${businessId}`
      await tx`update books.journal_heads set sequence = 2400 where business_id = ${businessId}`
    })
    const text = await exported(books, 'ledger')
    const sequences = [...text.matchAll(/^2026-01-31 \* \((\d+)\)/gm)].map(([, one]) => Number(one))
    expect(sequences).toEqual(Array.from({ length: 2400 }, (_, index) => index + 1))
  })

  test('of empty books is the header alone', async () => {
    const books = await newJournal(world(), { environment: 'test' })
    for (const format of exportFormats) {
      const text = await exported(books, format)
      expect(text.indexOf('\n\n')).toBe(text.length - 2)
    }
  })
})

test('names of accounts are safe and tell every account from every other', () => {
  const account = (code: string, name: string, type: 'asset' | 'income' = 'asset') => ({
    id: `${code} ${name}`,
    code,
    name,
    type,
    subtype: 'bank' as const,
    active: true,
  })
  const accounts = [
    account('1100', 'Accounts receivable'),
    account('1100', 'Accounts-receivable'),
    account('1100', 'Accounts receivable', 'income'),
    account('a:b', 'Crédit  (Agricole); été'),
    account('ΑΒ', 'Πωλήσεις'),
    account('ΒΑ', 'Έσοδα'),
    account('--', '“”'),
  ]
  expect([
    ...accountNames(accounts.map((one, index) => ({ ...one, id: String(index) }))).values(),
  ]).toEqual([
    'Assets:1100-Accounts-Receivable',
    'Assets:1100-Accounts-Receivable-2',
    'Income:1100-Accounts-Receivable',
    'Assets:A-B-Credit-Agricole-Ete',
    'Assets:Account',
    'Assets:Account-2',
    'Assets:Account-3',
  ])
})
