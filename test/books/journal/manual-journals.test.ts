// Manual journals, and the revaluation.

import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { revalueBalances } from '../../../src/books/currencies/revalue-balances.ts'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { postOpeningBalances } from '../../../src/books/journal/post-opening-balances.ts'
import { reverseManualJournal } from '../../../src/books/journal/reverse-manual-journal.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { refusal } from '../../support/refusal.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks

beforeEach(async () => {
  books = await settlingBooks(world())
})

const setRate = (currency: string, date: string, rate: string) =>
  runOperation(setExchangeRate, world().context, books.owner, { currency, date, rate })

type Line = z.input<typeof postManualJournal.input>['lines'][number]

const line = (code: string, amount: Omit<Line, 'accountId'>): Line => ({
  accountId: books.accountId(code),
  ...amount,
})

const post = (lines: Line[], date = '2026-01-31') =>
  runOperation(postManualJournal, world().context, books.owner, {
    date,
    description: 'Accrual',
    lines,
  })

describe('a manual journal', () => {
  it('books what it says, foreign lines at their rate, their worth or the rate of the day', async () => {
    await setRate('GBP', '2026-01-01', '1.2')
    const journal = await post([
      line('6350', { debit: '100', currency: 'USD', rate: '0.925' }),
      line('6350', { debit: '10', currency: 'USD', baseAmount: '9.27' }),
      line('6350', { debit: '10', currency: 'GBP' }),
      line('2200', { credit: '113.77', description: 'Owed' }),
    ])
    expect(await books.entries(journal.id)).toEqual([
      'journal.posted 2026-01-31\n6350 10177 11000 USD\n6350 1200 1000 GBP\n2200 -11377 -11377 EUR',
    ])
  })

  it('is reversed once, on a day of choice', async () => {
    const lines = [line('6350', { debit: '1' }), line('2200', { credit: '1' })]
    const { id: journalId } = await post(lines)
    const { context } = world()
    const reverse = (date: string) =>
      runOperation(reverseManualJournal, context, books.owner, { journalId, date })
    expect(await refusal(reverse('2026-01-30'))).toMatch(/^It is dated 2026-01-31/)
    await reverse('2026-02-01')
    expect((await books.entries(journalId))[1]).toBe(
      'journal.reversed 2026-02-01 reversing\n6350 -100 -100 EUR\n2200 100 100 EUR',
    )
    expect(await refusal(reverse('2026-02-01'))).toBe('No such journal, or it is already reversed.')
  })

  it('reverses no entry of something else', async () => {
    const contactId = await books.contact()
    const journalId = await books.document({ contactId, totalMinor: 100n })
    const reversal = { journalId, date: '2026-02-01' }
    expect(
      await refusal(runOperation(reverseManualJournal, world().context, books.owner, reversal)),
    ).toMatch(/^No such journal/)
  })

  it('is refused where it does not balance or may not be', async () => {
    const credit = line('2200', { credit: '1' })
    const { context } = world()
    const member = books.person('member')
    const input = { date: '2026-01-31', description: 'A', lines: [credit, credit] }
    expect([
      await refusal(post([line('6350', { debit: '1.01' }), credit])),
      await refusal(post([line('6350', { debit: '0.99' }), credit])),
      await refusal(post([line('2200', { debit: '1' }), credit])),
      await refusal(post([credit])),
      await refusal(post([line('1100', { debit: '1' }), credit])),
      await refusal(post([line('2000', { debit: '1' }), credit])),
      await refusal(post([line('2050', { debit: '1' }), credit])),
      await refusal(post([line('1160', { debit: '1' }), credit])),
      await refusal(post([{ accountId: context.ids.uuid(), debit: '1' }, credit])),
      await refusal(post([line('6350', {}), credit])),
      await refusal(post([line('6350', { debit: '1', credit: '1' }), credit])),
      await refusal(post([line('6350', { debit: '1', currency: 'USD' }), credit])),
      await refusal(post([line('6350', { debit: '1.005' }), credit])),
      await refusal(
        post([line('6350', { debit: '10000000000', currency: 'USD', rate: '100000' }), credit]),
      ),
      await refusal(post([line('6350', { debit: '1', contactId: context.ids.uuid() }), credit])),
      await refusal(post([line('6350', { debit: '1', taxCodeId: context.ids.uuid() }), credit])),
      await refusal(post([line('6350', { debit: '1.005' }), line('1100', { credit: '1' })])),
      await refusal(runOperation(postManualJournal, context, member, input)),
    ]).toEqual([
      'The debits are 0.01 EUR more than the credits.',
      'The credits are 0.01 EUR more than the debits.',
      'The lines cancel each other out.',
      'At least 2 lines.',
      '0.accountId: Only documents and payments post to Accounts receivable. Use a document or a payment.',
      '0.accountId: Only documents and payments post to Accounts payable. Use a document or a payment.',
      '0.accountId: Only documents and payments post to Expense claims payable. Use a document or a payment.',
      '0.accountId: Only revaluations post to Currency revaluation.',
      '0.accountId: No such account.',
      '0.debit: Enter a debit or a credit.',
      '0.debit: Enter a debit or a credit.',
      'No rate from USD to EUR is known for 2026-01-31. Set one in Settings → Currencies and rates (command set-exchange-rate). Or state the rate here.',
      '0.debit: EUR has 2 decimals.',
      '0.debit: Too large in EUR. Check the rate.',
      '0.contactId: No such contact.',
      '0.taxCodeId: No such tax code.',
      '0.debit: EUR has 2 decimals. 1.accountId: Only documents and payments post to Accounts receivable. Use a document or a payment.',
      'Only an owner, admin or approver can do this. Ask one of them.',
    ])
  })
})

describe('opening balances', () => {
  const open = (balances: Line[]) =>
    runOperation(postOpeningBalances, world().context, books.owner, {
      date: '2025-12-31',
      balances,
    })

  it('stand against the opening balance equity', async () => {
    const opening = await open([
      line('1000', { debit: '500' }),
      line('2700', { credit: '200' }),
      line('1400', { debit: '100', currency: 'USD', rate: '0.9' }),
    ])
    expect(await books.entries(opening.id)).toEqual([
      'opening.posted 2025-12-31\n1000 50000 50000 EUR\n2700 -20000 -20000 EUR\n1400 9000 10000 USD\n3900 -39000 -39000 EUR',
    ])
  })

  it('are reversed by those who may post them', async () => {
    const { id: journalId } = await open([line('1000', { debit: '500' })])
    const reverse = (role: 'approver' | 'admin') =>
      runOperation(reverseManualJournal, world().context, books.person(role), {
        journalId,
        date: '2026-01-01',
      })
    expect(await refusal(reverse('approver'))).toBe(
      'Only an owner or admin can do this. Ask one of them.',
    )
    await reverse('admin')
  })

  it('are refused for control accounts, with what to do instead', async () => {
    expect(await refusal(open([line('1100', { debit: '500' })]))).toMatch(
      /Enter each open invoice and bill as a document on the opening balance equity account/,
    )
  })
})

describe('a revaluation', () => {
  const revalue = (date: string) =>
    runOperation(revalueBalances, world().context, books.owner, { date })

  async function revaluations(): Promise<string[]> {
    const rows = await world().database.sql<{ text: string }[]>`
      select entry.kind || ' ' || entry.date || ' ' || line.base_minor as text
      from books.journal_entries as entry
      join books.journal_lines as line using (business_id, environment, sequence)
      where entry.business_id = ${books.tenant.businessId}
        and entry.kind like 'revaluation.%'
        and line.account_id = ${books.accountId('1160')}
      order by entry.sequence`
    return rows.map(({ text }) => text)
  }

  it('states what is open and in the bank at the rates of the day, until the next day', async () => {
    const contactId = await books.contact()
    const foreign = { contactId, currency: 'USD', fxRate: '0.9' }
    const id = await books.document({ ...foreign, totalMinor: 100000n })
    await books.document({ ...foreign, kind: 'bill', totalMinor: 30000n })
    await books.document({ ...foreign, totalMinor: 5000n, date: '2026-02-01' })
    await world().database.sql`
      update books.accounts
      set currency = 'USD'
      where business_id = ${books.tenant.businessId}
        and code = '1010'`
    await runOperation(recordPayment, world().context, books.owner, {
      direction: 'in',
      contactId,
      date: '2026-01-20',
      currency: 'USD',
      amount: '400',
      rate: '0.95',
      accountId: books.accountId('1010'),
      allocations: [{ itemId: id, amount: '400' }],
    })
    expect(await refusal(revalue('2026-01-31'))).toMatch(/^No rate from USD to EUR/)
    await setRate('USD', '2026-01-31', '1')
    const made = await revalue('2026-01-31')
    // 600 and -300 from 0.9, 400 from 0.95.
    expect(made.gainMinor).toBe(6000n - 3000n + 2000n)
    expect(made.balances.map((one) => [one.accountName, one.amountMinor, one.baseMinor])).toEqual([
      ['Savings account', 40000n, 38000n],
      ['Accounts receivable', 60000n, 54000n],
      ['Accounts payable', -30000n, -27000n],
    ])
    const once = ['revaluation.posted 2026-01-31 5000', 'revaluation.reversed 2026-02-01 -5000']
    expect(await revaluations()).toEqual(once)
    expect((await revalue('2026-01-31')).sequence).toBeNull()
    expect(await revaluations()).toEqual(once)
    await setRate('USD', '2026-01-31', '0.98')
    await revalue('2026-01-31')
    expect(await revaluations()).toEqual([
      ...once,
      'revaluation.posted 2026-01-31 -1400',
      'revaluation.reversed 2026-02-01 1400',
    ])
    await books.check()
  })

  it('realises for good what is left of foreign money that is gone', async () => {
    const contactId = await books.contact()
    const { tenant, owner } = books
    const accountId = books.accountId('1010')
    await world().database.sql`
      update books.accounts
      set currency = 'USD'
      where business_id = ${tenant.businessId}
        and code = '1010'`
    const move = (direction: 'in' | 'out', rate: string) =>
      runOperation(recordPayment, world().context, owner, {
        ...{ direction, contactId, date: '2026-01-20', currency: 'USD', amount: '400', rate },
        accountId,
      })
    await move('in', '0.92')
    await move('out', '0.95')
    await setRate('USD', '2026-01-31', '1')
    const standing = async (code: string) => {
      const [row] = await world().database.sql<{ baseMinor: bigint }[]>`
        select coalesce(sum(base_minor), 0)::bigint as base_minor
        from books.journal_lines
        where business_id = ${tenant.businessId}
          and account_id = ${books.accountId(code)}`
      return row?.baseMinor
    }
    expect(await standing('1010')).toBe(-1200n)
    // The two payments are still open, 400 each way, carried at 368 and 380.
    expect((await revalue('2026-01-31')).gainMinor).toBe(-3200n + 2000n)
    expect([await standing('1010'), await standing('6900')]).toEqual([0n, -1200n])
    expect((await revalue('2026-01-31')).sequence).toBeNull()
    expect([await standing('1010'), await standing('6900')]).toEqual([0n, -1200n])
    await books.check()
  })

  it('is for those who administer the books', async () => {
    const approver = books.person('approver')
    const made = runOperation(revalueBalances, world().context, approver, { date: '2026-01-31' })
    expect(await refusal(made)).toMatch(/^Only an owner or admin/)
  })
})
