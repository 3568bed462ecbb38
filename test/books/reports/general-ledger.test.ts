// The general ledger of an account, and the balances behind all reports, compared with the lines.

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { reportGeneralLedger } from '../../../src/books/reports/list-general-ledger.ts'
import { listBalances } from '../../../src/books/reports/report-store.ts'
import { writeJson } from '../../../src/kernel/money/exact-number.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { exampleFacts, postExample } from '../../support/example-books.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ clock: manualClock(new Date('2026-06-30T12:00:00Z')) })
let books: Books

beforeEach(async () => {
  books = await newJournal(world())
})

async function ledger(code: string, input: object = {}) {
  const wanted = { accountId: books.accountId(code), ...input }
  return JSON.parse(
    writeJson(await runOperation(reportGeneralLedger, world().context, books.owner, wanted)),
  )
}

type Line = { date: string; balance: number; debit: number; credit: number }

describe('the general ledger', () => {
  test('has what the account stood at, every line with the balance after it, and the end', async () => {
    await postExample(books)
    const { from, to, data } = await ledger('1000')
    expect([from, to]).toEqual(['2026-01-01', '2026-06-30'])
    expect(data).toMatchObject({
      currency: 'EUR',
      ledger_seq: exampleFacts,
      account: { id: books.accountId('1000'), code: '1000', name: 'Bank account', type: 'asset' },
      opening: 9700,
      closing: 9662.34,
      next: null,
    })
    expect(data.lines).toEqual([
      {
        date: '2026-03-31',
        sequence: 4,
        kind: 'journal.posted',
        source_id: expect.any(String),
        description: 'A fact',
        contact_id: null,
        currency: 'EUR',
        amount: 12.34,
        debit: 12.34,
        credit: 0,
        balance: 9712.34,
      },
      expect.objectContaining({ date: '2026-05-15', debit: 0, credit: 50, balance: 9662.34 }),
    ])
  })

  test('has balances in the own currency of the account too, on every page', async () => {
    await world().database.sql`
      update books.accounts
      set currency = 'USD'
      where id = ${books.accountId('1010')}`
    const move = (date: string, base: bigint, amountMinor: bigint, currency = 'USD') =>
      books.post(date, [
        ['1010', base, { currency, amountMinor }],
        ['4000', -base],
      ])
    await move('2025-12-31', 90_00n, 100_00n)
    await move('2026-01-31', 180_00n, 200_00n)
    // Before such lines were refused; it holds no dollars.
    await move('2026-02-01', 5_00n, 5_00n, 'EUR')
    await move('2026-02-28', -95_00n, -100_00n)
    const ends = { own_currency: 'USD', own_opening: 100, own_closing: 200 }
    const { data } = await ledger('1010')
    expect(data).toMatchObject({ ...ends, opening: 90, closing: 180 })
    const own = (line: { own_balance: number }) => line.own_balance
    expect(data.lines.map(own)).toEqual([300, 300, 200])
    const first = await ledger('1010', { limit: 1 })
    const { data: second } = await ledger('1010', { limit: 2, after: first.data.next })
    expect(second).toMatchObject(ends)
    expect(second.lines.map(own)).toEqual([300, 200])
    expect((await ledger('4000')).data).not.toHaveProperty('own_currency')
  })

  test('of a period without lines is its opening', async () => {
    await postExample(books)
    const { data } = await ledger('1000', { from: '2025-02-11', to: '2025-02-28' })
    expect(data).toMatchObject({ opening: 10_000, closing: 10_000, lines: [], next: null })
  })

  test('is read page by page, and stays right when someone posts behind the reader', async () => {
    for (const date of ['2026-01-05', '2026-01-05', '2026-01-05', '2026-02-01', '2026-02-02']) {
      await books.post(date, [
        ['1000', 100n],
        ['4000', -60n],
        ['4000', -40n],
      ])
    }
    const first = await ledger('4000', { limit: 3 })
    expect(first.data.lines.map(({ balance }: Line) => balance)).toEqual([-0.6, -1, -1.6])
    await books.post('2026-01-01', [
      ['1000', 7n],
      ['4000', -7n],
    ])
    const second = await ledger('4000', { limit: 3, after: first.data.next })
    expect(second.data.lines.map(({ balance }: Line) => balance)).toEqual([-2.07, -2.67, -3.07])
    const third = await ledger('4000', { limit: 4, after: second.data.next })
    expect(third.data.lines.map(({ balance }: Line) => balance)).toEqual([
      -3.67, -4.07, -4.67, -5.07,
    ])
    expect(third.data).toMatchObject({ closing: -5.07, next: null })
  })

  test('refuses a period that ends before it begins, a page that is none and another’s account', async () => {
    expect(await refusal(ledger('1000', { from: '2026-07-01' }))).toContain('Must not be after')
    expect(await refusal(ledger('1000', { after: 'x' }))).toContain('`next`')
    const other = await newJournal(world())
    const stolen = ledger('1000', { accountId: other.accountId('1000') })
    await expect(stolen).rejects.toMatchObject({ kind: 'not_found' })
  })
})

test('balances are the sums of the lines up to any day, whenever they were posted', async () => {
  const codes = ['1000', '4000', '6000']
  const days = fc
    .date({ min: new Date('2024-12-25'), max: new Date('2026-03-05'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const fact = fc.tuple(
    days,
    fc.constantFrom(...codes),
    fc.constantFrom(...codes),
    fc.bigInt(1n, 999n),
  )
  const property = fc.asyncProperty(
    fc.array(fact, { minLength: 1, maxLength: 12 }),
    fc.array(days, { minLength: 1, maxLength: 4 }),
    async (facts, asked) => {
      const own = await newJournal(world())
      for (const [date, debit, credit, amount] of facts) {
        await own.post(date, [
          [debit, amount],
          [credit, -amount],
        ])
      }
      const { ledgerSeq, accounts } = await listBalances(world().database.sql, own.tenant, asked)
      expect(ledgerSeq).toBe(BigInt(facts.length))
      for (const code of codes) {
        const expected = asked.map((day) =>
          facts
            .filter(([date]) => date <= day)
            .reduce(
              (sum, [, debit, credit, amount]) =>
                sum + (debit === code ? amount : 0n) - (credit === code ? amount : 0n),
              0n,
            ),
        )
        const { balancesMinor } = accounts.find((account) => account.code === code) ?? {}
        expect(asked.map((day) => balancesMinor?.[day])).toEqual(expected)
      }
    },
  )
  await fc.assert(property, { numRuns: 15, endOnFailure: true })
})
