// How far from today something can be dated.

import { beforeEach, expect, it } from 'vitest'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { refundCredit } from '../../../src/books/payments/refund-credit.ts'
import { updateOrganisation } from '../../../src/books/settings/update-organisation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { refusal } from '../../support/refusal.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

// In Berlin it is the second of March already.
const world = useWorld({ clock: manualClock(new Date('2026-03-01T23:30:00Z')) })
let books: SettlingBooks
let contactId: string

beforeEach(async () => {
  books = await settlingBooks(world())
  await runOperation(updateOrganisation, world().context, books.owner, {
    timeZone: 'Europe/Berlin',
  })
  contactId = await books.contact()
})

const pay = (date: string) =>
  runOperation(recordPayment, world().context, books.owner, {
    ...{ direction: 'in', contactId, date, currency: 'EUR', amount: '10' },
    accountId: books.accountId('1000'),
  })

it('money is booked when it has moved: today where the books are kept, or before', async () => {
  const { id: itemId } = await pay('2026-03-02')
  const early = 'Money that moves must be dated today (2026-03-02) or earlier.'
  expect(await refusal(pay('2026-03-03'))).toBe(early)
  const refund = { itemId, date: '2026-03-03', accountId: books.accountId('1000') }
  expect(await refusal(runOperation(refundCredit, world().context, books.owner, refund))).toBe(
    early,
  )
  await runOperation(refundCredit, world().context, books.owner, { ...refund, date: '2026-03-02' })
  await books.check()
})

it('what is agreed may lie up to a year ahead', async () => {
  const post = (date: string) =>
    runOperation(postManualJournal, world().context, books.owner, {
      ...{ date, description: 'Rent' },
      lines: [
        { accountId: books.accountId('6350'), debit: '1' },
        { accountId: books.accountId('2200'), credit: '1' },
      ],
    })
  await post('2027-03-02')
  expect(await refusal(post('2027-03-03'))).toBe(
    '2027-03-03 is more than a year ahead. Check the year.',
  )
  await books.check()
})

const draft = (date: string) =>
  runOperation(createDocument, world().context, books.owner, {
    kind: 'invoice',
    ...{ contactId, date },
    lines: [{ description: 'A sign', unitPrice: '10', accountId: books.accountId('4000') }],
  })

const issue = (id: string, confirmsOldDate?: boolean) =>
  runOperation(issueDocument, world().context, books.owner, { id, confirmsOldDate })

it('a draft may lie any time ahead, and is not issued more than a year ahead', async () => {
  const [near, far] = [await draft('2026-12-24'), await draft('2062-03-01')]
  expect(await issue(near.id)).toMatchObject({ status: 'posted', date: '2026-12-24' })
  expect(await refusal(issue(far.id))).toContain('is more than a year ahead')
})

const ancient = 'Must not be before 1900-01-01.'

it('nothing is dated before 1900, not even a draft', async () => {
  await draft('1900-01-01')
  expect(await refusal(draft('1026-01-01'))).toBe(ancient)
  expect(await refusal(draft('1899-12-31'))).toBe(ancient)
  expect(await refusal(pay('1026-01-01'))).toBe(ancient)
  const rate = { currency: 'USD', date: '1026-01-01', rate: '1.1' }
  expect(await refusal(runOperation(setExchangeRate, world().context, books.owner, rate))).toBe(
    ancient,
  )
})

it('an earlier version took a draft of the year 1026, which is not issued', async () => {
  const { id } = await draft('2026-03-01')
  await world().database.sql`update books.documents set date = '1026-01-01' where id = ${id}`
  expect(await refusal(issue(id, true))).toBe(ancient)
})

it('what is more than ten years back enters the books when a person confirms it', async () => {
  const { context } = world()
  const { id } = await draft('2016-02-29')
  expect(await refusal(issue(id))).toBe(
    '2016-02-29 is more than ten years back. Check the year, or send confirms_old_date: true.',
  )
  expect(await issue(id, true)).toMatchObject({ date: '2016-02-29', status: 'posted' })
  const payment = {
    direction: 'in' as const,
    ...{ contactId, date: '2016-02-29', currency: 'EUR', amount: '10' },
    ...{ accountId: books.accountId('1000'), allocations: [{ itemId: id, amount: '10' }] },
  }
  const record = (confirmsOldDate?: boolean) =>
    runOperation(recordPayment, context, books.owner, { ...payment, confirmsOldDate })
  expect(await refusal(record())).toContain('more than ten years back')
  expect(await refusal(record(false))).toContain('more than ten years back')
  await record(true)
  expect(await books.find(id)).toMatchObject({ status: 'paid' })
  const recent = await draft('2016-03-01')
  expect(await issue(recent.id)).toMatchObject({ date: '2016-03-01' })
  await books.check()
})
