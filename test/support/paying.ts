// New books for each test, with one contact who owes something and pays it.

import { beforeEach } from 'vitest'
import type { z } from 'zod'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { refusal } from './refusal.ts'
import { type SettlingBooks, settlingBooks, type WantedDocument } from './settling.ts'
import { useWorld } from './world.ts'

type Payment = Partial<z.input<typeof recordPayment.input>>

export function usePaying() {
  const world = useWorld()
  let made: { books: SettlingBooks; contactId: string } | undefined
  beforeEach(async () => {
    const books = await settlingBooks(world())
    made = { books, contactId: await books.contact() }
  })
  const own = () => {
    if (!made) throw new Error('the books are made before each test')
    return made
  }
  const books = () => own().books
  const contactId = () => own().contactId
  return {
    world,
    books,
    contactId,
    // In the books, an invoice unless another kind is wanted.
    invoice: (totalMinor: bigint, wanted: Partial<WantedDocument> = {}) =>
      books().document({ contactId: contactId(), totalMinor, ...wanted }),
    // Each use names what it settles, and how much of it.
    pay: (amount: string, uses: readonly (readonly [string, string])[] = [], input: Payment = {}) =>
      runOperation(recordPayment, world().context, books().owner, {
        direction: 'in',
        contactId: contactId(),
        date: '2026-01-20',
        currency: 'EUR',
        amount,
        accountId: books().accountId('1000'),
        allocations: uses.map(([itemId, part]) => ({ itemId, amount: part })),
        ...input,
      }),
    // In words; what is refused leaves the books in order.
    async refusal(work: Promise<unknown>): Promise<string> {
      const words = await refusal(work)
      await books().check()
      return words
    },
  }
}
