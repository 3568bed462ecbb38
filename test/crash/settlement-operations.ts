// Payments, allocations and removals in the books. After a crash, the caller first looks at the
// outcome, or repeats the call if it is idempotent.

import { expect } from 'vitest'
import { findDocument } from '../../src/books/documents/document-store.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { outward } from '../../src/kernel/operations/outer-names.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../support/documents.ts'
import type { Lane } from './lane.ts'
import { type Operation, operation } from './sweep.ts'

type Subject = { readonly books: Books; readonly id: string; readonly contactId: string }

export const settlementOperations: readonly Operation[] = [
  operation({
    name: 'a payment of an invoice is recorded',
    setUp: subject,
    run: (lane, one) => act(lane, one, 'record-payment', paymentOf(one)),
    async again(lane, one) {
      if ((await statusOf(lane, one)) === 'posted') {
        await act(lane, one, 'record-payment', paymentOf(one))
      }
    },
    end: (lane, one) =>
      expectBooks(lane, one, 'paid', ['invoice.issued', 'payment.recorded'], ['invoice.paid']),
    effects,
  }),
  operation({
    name: 'the payment service tells a payment, and tells it again when cut off',
    setUp: subject,
    run: (lane, one) => act(lane, one, 'book-link-payment', told(one)),
    again: (lane, one) => act(lane, one, 'book-link-payment', told(one)),
    end: (lane, one) =>
      expectBooks(lane, one, 'paid', ['invoice.issued', 'payment.recorded'], ['invoice.paid']),
    effects,
  }),
  operation<Subject & { creditId: string }>({
    name: 'an overpayment is used for an invoice',
    async setUp(lane) {
      const one = await subject(lane)
      const payment = await pay(lane, one, [])
      return { ...one, creditId: payment.id }
    },
    run: (lane, one) => act(lane, one, 'allocate-credit', useOf(one)),
    async again(lane, one) {
      if ((await statusOf(lane, one)) === 'posted') {
        await act(lane, one, 'allocate-credit', useOf(one))
      }
    },
    end: (lane, one) =>
      expectBooks(
        lane,
        one,
        'paid',
        ['invoice.issued', 'payment.recorded', 'allocation.made'],
        ['invoice.paid'],
      ),
    effects,
  }),
  operation<Subject & { paymentId: string }>({
    name: 'a payment is removed, and again when cut off',
    async setUp(lane) {
      const one = await subject(lane)
      const payment = await pay(lane, one, [{ itemId: one.id, amount: '100' }])
      return { ...one, paymentId: payment.id }
    },
    run: (lane, one) => act(lane, one, 'remove-payment', removalOf(one)),
    again: (lane, one) => act(lane, one, 'remove-payment', removalOf(one)),
    end: (lane, one) =>
      expectBooks(
        lane,
        one,
        'posted',
        ['invoice.issued', 'payment.recorded', 'payment.removed'],
        ['invoice.paid'],
      ),
    effects,
  }),
]

async function subject({ world }: Lane): Promise<Subject> {
  const books = await newBooks(world)
  const { id, contactId } = await books.draft('invoice', { date: '2026-03-01' })
  await runOperation(issueDocument, world.context, books.owner, { id })
  return { books, id, contactId }
}

const paymentOf = ({ books, contactId, id }: Subject) => ({
  ...({ direction: 'in', contactId, date: '2026-03-10', currency: 'EUR', amount: '100' } as const),
  accountId: books.account('1000'),
  allocations: [{ itemId: id, amount: '100' }],
})

const told = ({ id }: Subject) => ({
  ...{ externalId: 'payment-1', documentId: id, date: '2026-03-10', currency: 'EUR' },
  ...{ amount: '100', fee: '2.90' },
})

const useOf = ({ id, creditId }: Subject & { creditId: string }) => ({
  ...{ creditId, documentId: id, date: '2026-03-11' },
})

const removalOf = ({ paymentId }: { paymentId: string }) => ({ paymentId, date: '2026-03-12' })

function pay(
  { world }: Lane,
  one: Subject,
  allocations: readonly { itemId: string; amount: string }[],
) {
  const input = { ...paymentOf(one), allocations: [...allocations] }
  return runOperation(recordPayment, world.context, one.books.owner, input)
}

async function act(
  lane: Lane,
  { books: { businessId } }: Subject,
  name: string,
  input: object,
): Promise<void> {
  const text = JSON.stringify(outward(input))
  const args = ['books', 'do', name, '--business', businessId, '--input', text]
  expect(await lane.cli(args, ''), 'the command was killed').toBe(0)
}

async function statusOf({ world }: Lane, { books, id }: Subject): Promise<string | undefined> {
  return (await findDocument(world.database.sql, books, id))?.status
}

async function expectBooks(
  lane: Lane,
  one: Subject,
  status: string,
  entries: readonly string[],
  events: readonly string[],
): Promise<void> {
  const { sql } = lane.world.database
  const { businessId } = one.books
  const posted = await sql<{ kind: string }[]>`
    select kind
    from books.journal_entries
    where business_id = ${businessId}
    order by sequence`
  const told = await sql<{ type: string }[]>`
    select type
    from kernel.events
    where business_id = ${businessId}
      and object_id = ${one.id}
      and type = 'invoice.paid'`
  expect({
    status: await statusOf(lane, one),
    entries: posted.map(({ kind }) => kind),
    events: told.map(({ type }) => type),
  }).toEqual({ status, entries, events })
}

// The provider has no part in it.
function effects(_lane: Lane, { books: { businessId, environment }, id }: Subject) {
  return { tenant: { businessId, environment }, reference: id, counts: {} }
}
