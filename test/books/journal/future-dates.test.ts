// What may be dated ahead of today, and how far.

import { beforeEach, expect, it } from 'vitest'
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
  const early = 'Money is booked when it has moved, at the latest today, 2026-03-02.'
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

it('a draft may be dated as one likes, and is not issued more than a year ahead', async () => {
  const { context } = world()
  const issue = async (date: string) => {
    const line = { description: 'A sign', unitPrice: '10', accountId: books.accountId('4000') }
    const document = await runOperation(createDocument, context, books.owner, {
      kind: 'invoice',
      ...{ contactId, date, lines: [line] },
    })
    return runOperation(issueDocument, context, books.owner, { id: document.id })
  }
  expect(await issue('2026-12-24')).toMatchObject({ status: 'posted', date: '2026-12-24' })
  expect(await refusal(issue('2062-03-01'))).toContain('is more than a year ahead')
})
