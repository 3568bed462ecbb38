// Operations that post money take an idempotency key: a second click gets the result of the first.

import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { BooksContext } from '../../src/books/context.ts'
import { postManualJournal } from '../../src/books/journal/post-manual-journal.ts'
import { postOpeningBalances } from '../../src/books/journal/post-opening-balances.ts'
import { reverseManualJournal } from '../../src/books/journal/reverse-manual-journal.ts'
import { allocateCredit } from '../../src/books/payments/allocate-credit.ts'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { refundCredit } from '../../src/books/payments/refund-credit.ts'
import { removePayment } from '../../src/books/payments/remove-payment.ts'
import { writeOffBill } from '../../src/books/payments/write-off-bill.ts'
import { writeOffInvoice } from '../../src/books/payments/write-off-invoice.ts'
import type { PersonActor } from '../../src/kernel/auth/actor.ts'
import type { Operation } from '../../src/kernel/operations/operation.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { refusal } from '../support/refusal.ts'
import { type SettlingBooks, settlingBooks } from '../support/settling.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let books: SettlingBooks
let contactId: string

beforeEach(async () => {
  books = await settlingBooks(world())
  contactId = await books.contact()
})

type Booking = {
  readonly operation: string
  // Set up beforehand, so that it can be booked: a call with a key, and one that says something
  // else under it.
  prepare(): Promise<{
    book(input: { idempotencyKey?: string }): Promise<{ id: string }>
    other(input: { idempotencyKey: string }): Promise<unknown>
  }>
}

const date = '2026-02-01'
const by = (): PersonActor => books.owner
const invoice = (wanted = {}) => books.document({ contactId, totalMinor: 10000n, ...wanted })

// An operation whose second input differs in one field.
function told<Input extends z.ZodType<object, object>, Result extends { id: string }>(
  operation: Operation<BooksContext, Input, Result>,
  input: () => Promise<z.input<Input>>,
  change: Partial<z.input<Input>>,
): Booking {
  return {
    operation: operation.name,
    async prepare() {
      const wanted = await input()
      const { context } = world()
      return {
        book: (key) => runOperation(operation, context, by(), wanted, key),
        other: (key) => runOperation(operation, context, by(), { ...wanted, ...change }, key),
      }
    },
  }
}

const lines = (debit: string, credit: string, amount: string) => [
  { accountId: books.accountId(debit), debit: amount },
  { accountId: books.accountId(credit), credit: amount },
]

const bookings = [
  told(
    recordPayment,
    async () => ({
      ...{ direction: 'in' as const, contactId, date, currency: 'EUR', amount: '50' },
      accountId: books.accountId('1000'),
      allocations: [{ itemId: await invoice(), amount: '50' }],
    }),
    { amount: '51' },
  ),
  told(
    allocateCredit,
    async () => ({
      ...{ creditId: await invoice({ kind: 'credit_note' }), documentId: await invoice(), date },
      amount: '10',
    }),
    { amount: '11' },
  ),
  told(
    refundCredit,
    async () => ({
      ...{ itemId: await invoice({ kind: 'credit_note' }), date, amount: '10' },
      accountId: books.accountId('1000'),
    }),
    { amount: '11' },
  ),
  told(writeOffInvoice, async () => ({ documentId: await invoice(), date, amount: '10' }), {
    amount: '11',
  }),
  told(
    writeOffBill,
    async () => ({
      ...{ documentId: await invoice({ kind: 'bill' }), date, amount: '10' },
      accountId: books.accountId('4900'),
    }),
    { amount: '11' },
  ),
  told(
    postManualJournal,
    async () => ({ date, description: 'Rent', lines: lines('6350', '2200', '10') }),
    { description: 'Another' },
  ),
  told(
    postOpeningBalances,
    async () => ({ date, balances: [{ accountId: books.accountId('1000'), debit: '10' }] }),
    { date: '2026-02-02' },
  ),
  told(
    reverseManualJournal,
    async () => {
      const rent = { date, description: 'Rent', lines: lines('6350', '2200', '10') }
      return {
        journalId: (await runOperation(postManualJournal, world().context, by(), rent)).id,
        date,
      }
    },
    { date: '2026-02-02' },
  ),
]

async function entryCount(): Promise<number> {
  const rows = await world().database.sql`
    select sequence
    from books.journal_entries
    where business_id = ${books.tenant.businessId}`
  return rows.length
}

describe.each(bookings)('$operation', ({ prepare }) => {
  it('books once for one key, and answers a repeat with what it has booked', async () => {
    const { book } = await prepare()
    const before = await entryCount()
    const first = await book({ idempotencyKey: 'click-1' })
    expect(await book({ idempotencyKey: 'click-1' })).toEqual(first)
    expect(await entryCount()).toBe(before + 1)
    await books.check()
  })

  it('books once when both come at the same moment', async () => {
    const { book } = await prepare()
    const before = await entryCount()
    const clicks = Array.from({ length: 5 }, () => book({ idempotencyKey: 'click-1' }))
    const [first, ...others] = await Promise.all(clicks)
    for (const other of others) expect(other).toEqual(first)
    expect(await entryCount()).toBe(before + 1)
    await books.check()
  })

  it('refuses another input under the same key, and books nothing', async () => {
    const { book, other } = await prepare()
    await book({ idempotencyKey: 'click-1' })
    const before = await entryCount()
    await expect(other({ idempotencyKey: 'click-1' })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This idempotency key was already used for another request.',
    })
    expect(await entryCount()).toBe(before)
  })
})

const one = { idempotencyKey: 'one' }

const payment = async (amount = '50') => ({
  ...({ direction: 'in', contactId, date, currency: 'EUR', amount } as const),
  accountId: books.accountId('1000'),
})

it('books twice without a key, and with two keys', async () => {
  const { context } = world()
  const wanted = await payment()
  const keys = [undefined, undefined, 'one', 'two']
  for (const idempotencyKey of keys) {
    await runOperation(recordPayment, context, by(), wanted, { idempotencyKey })
  }
  expect(await entryCount()).toBe(4)
})

it('takes the same key for another operation, and in another business', async () => {
  const { context } = world()
  await runOperation(recordPayment, context, by(), await payment(), one)
  const rent = { date, description: 'Rent', lines: lines('6350', '2200', '10') }
  await runOperation(postManualJournal, context, by(), rent, one)
  expect(await entryCount()).toBe(2)
  books = await settlingBooks(world())
  contactId = await books.contact()
  await runOperation(recordPayment, context, by(), await payment(), one)
  expect(await entryCount()).toBe(1)
})

it('uses no key up when it is refused', async () => {
  const { context } = world()
  const wanted = await payment()
  const wrong = { ...wanted, accountId: books.accountId('1100') }
  expect(await refusal(runOperation(recordPayment, context, by(), wrong, one))).toContain(
    'Choose a bank account',
  )
  await runOperation(recordPayment, context, by(), wanted, one)
  expect(await entryCount()).toBe(1)
})

it('answers with the payment as it is now when it was removed meanwhile, and books no other', async () => {
  const { context } = world()
  const wanted = await payment()
  const { id } = await runOperation(recordPayment, context, by(), wanted, one)
  await runOperation(removePayment, context, by(), { paymentId: id, date })
  const again = await runOperation(recordPayment, context, by(), wanted, one)
  expect(again).toMatchObject({ id, removedAt: expect.any(Date) })
  expect(await entryCount()).toBe(2)
})

it('says the same whatever order the fields come in', async () => {
  const { context } = world()
  const wanted = await payment()
  const { id } = await runOperation(recordPayment, context, by(), wanted, one)
  const turned = Object.fromEntries(Object.entries(wanted).toReversed()) as typeof wanted
  expect((await runOperation(recordPayment, context, by(), turned, one)).id).toBe(id)
  expect(
    (await runOperation(recordPayment, context, by(), { ...wanted, amount: '50.00' }, one)).id,
  ).toBe(id)
})

it('a key that names nothing is found', async () => {
  const { context, database } = world()
  await runOperation(recordPayment, context, by(), await payment(), one)
  await database.sql`
    update kernel.idempotency_keys
    set object_id = ${books.tenant.businessId}
    where business_id = ${books.tenant.businessId}`
  expect(await brokenInvariants(database)).toContain('I5.6')
  await database.sql`
    delete from kernel.idempotency_keys
    where business_id = ${books.tenant.businessId}`
})

it.each(['', 'x'.repeat(256), 'a\u0000b'])(
  'refuses a key that is none: %j',
  async (idempotencyKey) => {
    const wanted = { ...(await payment()), idempotencyKey }
    await expect(runOperation(recordPayment, world().context, by(), wanted)).rejects.toMatchObject({
      kind: 'invalid_request',
    })
  },
)
