// Lookups by the names that people know: numbers, codes, references, days.
import { beforeEach, expect, it } from 'vitest'
import { listAccounts } from '../../src/books/accounts/list-accounts.ts'
import { listExchangeRates } from '../../src/books/currencies/list-exchange-rates.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { listDocuments } from '../../src/books/documents/list-documents.ts'
import { listItems } from '../../src/books/items/list-items.ts'
import { getManualJournal } from '../../src/books/journal/get-manual-journal.ts'
import { listManualJournals } from '../../src/books/journal/list-manual-journals.ts'
import { postManualJournal } from '../../src/books/journal/post-manual-journal.ts'
import { postOpeningBalances } from '../../src/books/journal/post-opening-balances.ts'
import { reverseManualJournal } from '../../src/books/journal/reverse-manual-journal.ts'
import { getBookedPayment } from '../../src/books/payments/get-booked-payment.ts'
import { listPayments } from '../../src/books/payments/list-payments.ts'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../support/clock.ts'
import { type Books, newBooks } from '../support/documents.ts'
import { refusal } from '../support/refusal.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ clock: manualClock(new Date('2026-03-01T12:00:00Z')) })
const context = () => world().context
let books: Books

beforeEach(async () => {
  books = await newBooks(world())
})

it('documents by their number and by their reference', async () => {
  const { id } = await books.draft('invoice', { reference: 'PO-7' })
  const { id: other } = await books.draft('bill', { reference: 'PO-8' })
  const { number } = await runOperation(issueDocument, context(), books.owner, { id })
  const found = async (filter: { number?: string; reference?: string }) => {
    const page = await runOperation(listDocuments, context(), books.owner, filter)
    expect(page.total).toBe(page.data.length)
    return page.data.map((document) => document.id)
  }
  expect(await found({ number: number ?? '' })).toEqual([id])
  expect(await found({ number: 'INV-2026' })).toEqual([])
  expect(await found({ reference: 'PO-8' })).toEqual([other])
})

it('accounts and items by their code', async () => {
  const pen = await books.item({ code: 'PEN' })
  await books.item({ code: 'PENCIL' })
  const items = await runOperation(listItems, context(), books.owner, { code: 'PEN' })
  expect(items.map(({ id }) => id)).toEqual([pen.id])
  const accounts = await runOperation(listAccounts, context(), books.owner, { code: '1100' })
  expect(accounts.map(({ name }) => name)).toEqual(['Accounts receivable'])
  expect(await runOperation(listAccounts, context(), books.owner, { code: '9999' })).toEqual([])
})

it('one payment with what it was used for, and payments by their reference', async () => {
  const { id: itemId, contactId } = await books.draft()
  await runOperation(issueDocument, context(), books.owner, { id: itemId })
  const pay = (reference: string, allocations: { itemId: string; amount: string }[]) =>
    runOperation(recordPayment, context(), books.owner, {
      ...{ direction: 'in', contactId, date: '2026-03-01', currency: 'EUR', amount: '60' },
      ...{ accountId: books.account('1000'), reference, allocations },
    })
  const { id } = await pay('Transfer 9', [{ itemId, amount: '60' }])
  await pay('Transfer 10', [])
  const listed = await runOperation(listPayments, context(), books.owner, {
    reference: 'Transfer 9',
  })
  expect(listed.map((payment) => payment.id)).toEqual([id])
  expect(await runOperation(getBookedPayment, context(), books.owner, { id })).toMatchObject({
    ...{ id, reference: 'Transfer 9', amountMinor: 6000n },
    allocations: [{ debitItemId: itemId, creditItemId: id, amountMinor: 6000n }],
  })
  const unknown = { id: itemId }
  expect(await refusal(runOperation(getBookedPayment, context(), books.owner, unknown))).toBe(
    'No such payment.',
  )
})

it('exchange rates by currency and day, the newest first', async () => {
  await books.rate('USD', '2026-01-01', '0.9')
  await books.rate('USD', '2026-02-01', '0.95')
  await books.rate('GBP', '2026-01-15', '1.2')
  const list = (filter: { currency?: string; from?: string; to?: string; limit?: number }) =>
    runOperation(listExchangeRates, context(), books.owner, filter)
  expect(await list({})).toEqual([
    { currency: 'USD', date: '2026-02-01', rate: '0.95' },
    { currency: 'GBP', date: '2026-01-15', rate: '1.2' },
    { currency: 'USD', date: '2026-01-01', rate: '0.9' },
  ])
  const upTo = { currency: 'USD', to: '2026-01-31', limit: 1 }
  expect(await list(upTo)).toEqual([{ currency: 'USD', date: '2026-01-01', rate: '0.9' }])
  expect(await list({ from: '2026-01-02', to: '2026-01-31' })).toHaveLength(1)
})

it('manual journals and opening balances, with their lines and their reversal', async () => {
  const lines = [
    { accountId: books.account('6350'), debit: '5', description: 'March' },
    { accountId: books.account('2200'), credit: '5' },
  ]
  const journal = { date: '2026-02-28', description: 'Rent', lines }
  const { id } = await runOperation(postManualJournal, context(), books.owner, journal)
  const opening = await runOperation(postOpeningBalances, context(), books.owner, {
    ...{ date: '2025-12-31', balances: [{ accountId: books.account('1000'), debit: '7' }] },
  })
  const reversal = { journalId: id, date: '2026-03-01' }
  await runOperation(reverseManualJournal, context(), books.owner, reversal)
  const list = (period: { from?: string; to?: string }) =>
    runOperation(listManualJournals, context(), books.owner, period)
  expect(await list({})).toMatchObject([
    { id, kind: 'journal.posted', description: 'Rent', reversedOn: '2026-03-01' },
    { id: opening.id, kind: 'opening.posted', date: '2025-12-31', reversedOn: null },
  ])
  expect((await list({ from: '2026-01-01' })).map((one) => one.id)).toEqual([id])
  expect(await runOperation(getManualJournal, context(), books.owner, { id })).toMatchObject({
    ...{ id, date: '2026-02-28', postedBy: books.owner.personId },
    lines: [
      { accountId: books.account('6350'), baseMinor: 500n, description: 'March' },
      { accountId: books.account('2200'), baseMinor: -500n },
    ],
  })
  const other = await newBooks(world())
  expect(await refusal(runOperation(getManualJournal, context(), other.owner, { id }))).toBe(
    'No such journal.',
  )
})
