// Concurrent settlements of the same item happen one after the other, and the second finds what the
// first left.

import { beforeEach, expect, it } from 'vitest'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { Fault } from '../../../src/kernel/basics/fault.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks
let contactId: string

beforeEach(async () => {
  books = await settlingBooks(world())
  contactId = await books.contact()
})

function pay(ids: readonly string[], amount: string) {
  return runOperation(recordPayment, world().context, books.owner, {
    direction: 'in',
    contactId,
    date: '2026-01-20',
    currency: 'EUR',
    amount: `${ids.length * 100}`,
    accountId: books.accountId('1000'),
    allocations: ids.map((itemId) => ({ itemId, amount })),
  })
}

// How many came through; whatever did not was refused and is no bug.
async function winners(works: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(works)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Fault)
  }
  await books.check()
  return results.filter(({ status }) => status === 'fulfilled').length
}

it('lets one of two payments of an invoice through', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  expect(await winners([pay([id], '100'), pay([id], '100')])).toBe(1)
  expect(await books.find(id)).toMatchObject({ status: 'paid', paidMinor: 10000n })
  expect(await books.events(id)).toEqual(['invoice.paid'])
})

it('lets as many payments through as fit', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  expect(await winners(Array.from({ length: 12 }, () => pay([id], '20')))).toBe(5)
})

it('does not lock up payments that name the same invoices in another order', async () => {
  const ids: string[] = []
  for (let count = 0; count < 4; count += 1) {
    ids.push(await books.document({ contactId, totalMinor: 10000n }))
  }
  const works = Array.from({ length: 8 }, (_, index) =>
    pay(index % 2 === 0 ? ids : ids.toReversed(), '12.50'),
  )
  expect(await winners(works)).toBe(8)
  for (const id of ids) expect((await books.find(id)).status).toBe('paid')
})

it('gives a credit to one of two invoices', async () => {
  const { context } = world()
  const creditId = await books.document({ contactId, totalMinor: 5000n, kind: 'credit_note' })
  const ids = [
    await books.document({ contactId, totalMinor: 5000n }),
    await books.document({ contactId, totalMinor: 5000n }),
  ]
  const works = ids.map((documentId) =>
    runOperation(allocateCredit, context, books.owner, {
      creditId,
      documentId,
      date: '2026-02-01',
    }),
  )
  expect(await winners(works)).toBe(1)
})

it('either pays an invoice or gives it up', async () => {
  const { context } = world()
  const documentId = await books.document({ contactId, totalMinor: 10000n })
  const writeOff = runOperation(writeOffInvoice, context, books.owner, {
    documentId,
    date: '2026-02-01',
  })
  expect(await winners([pay([documentId], '100'), writeOff])).toBe(1)
})

it('either pays an invoice or voids it', async () => {
  const { context } = world()
  for (let turn = 0; turn < 6; turn += 1) {
    const id = await books.document({ contactId, totalMinor: 10000n })
    const voided = () =>
      runOperation(voidDocument, context, books.owner, { id, date: '2026-02-01' })
    // Either can be first, so both orders are tried.
    const works = turn % 2 === 0 ? [voided(), pay([id], '100')] : [pay([id], '100'), voided()]
    expect(await winners(works)).toBe(1)
    expect(['paid', 'void']).toContain((await books.find(id)).status)
  }
})

it('removes a payment once, also while it is used', async () => {
  const { context } = world()
  const payment = await pay([await books.document({ contactId, totalMinor: 5000n })], '50')
  const documentId = await books.document({ contactId, totalMinor: 5000n })
  const remove = () =>
    runOperation(removePayment, context, books.owner, { paymentId: payment.id, date: '2026-02-01' })
  const use = { creditId: payment.id, documentId, date: '2026-02-01' }
  await winners([remove(), runOperation(allocateCredit, context, books.owner, use), remove()])
  await remove()
  await books.check()
  expect(await books.open(payment.id)).toEqual([0n, 0n])
  expect((await books.find(documentId)).status).toBe('posted')
})
