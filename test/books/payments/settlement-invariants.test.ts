// Each invariant of settling holds for what the operations create, and detects its kind of damage.

import { expect, test } from 'vitest'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { settlingBooks, settlingInvariants } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

async function broken(): Promise<string[]> {
  const found: string[] = []
  for (const { id, violations } of settlingInvariants) {
    const { database, context } = world()
    if ((await violations(database.sql, context.clock.now())).length > 0) found.push(id)
  }
  return found
}

test('damage is found, and nothing else', async () => {
  const { database, context } = world()
  const { sql } = database
  const books = await settlingBooks(world())
  const contactId = await books.contact()
  const id = await books.document({ contactId, totalMinor: 10000n })
  await runOperation(recordPayment, context, books.owner, {
    direction: 'in',
    contactId,
    date: '2026-01-20',
    currency: 'EUR',
    amount: '60',
    accountId: books.accountId('1000'),
    allocations: [{ itemId: id, amount: '60' }],
  })
  expect(await broken()).toEqual([])
  await sql`update books.open_items set open_minor = 4001 where id = ${id}`
  expect(await broken()).toEqual(['I14.21', 'I14.22', 'I14.23'])
  await sql`update books.open_items set open_minor = 4000, open_base_minor = 4001 where id = ${id}`
  expect(await broken()).toEqual(['I14.21', 'I14.23'])
  await sql`update books.open_items set open_base_minor = 4000 where id = ${id}`
  expect(await broken()).toEqual([])
  await sql`update books.documents set paid_minor = 5999 where id = ${id}`
  expect(await broken()).toEqual(['I14.22'])
  await sql`update books.documents set paid_minor = 6000 where id = ${id}`
  await sql`update books.allocations set credit_base_minor = 5999 where debit_item_id = ${id}`
  expect(await broken()).toEqual(['I14.23'])
  await sql`update books.allocations set credit_base_minor = 6000 where debit_item_id = ${id}`
  expect(await broken()).toEqual([])
  await sql`update books.accounts set subtype = 'current_liability' where code = '1100'`
  expect(await broken()).toEqual(['I14.24'])
  await sql`update books.accounts set subtype = 'receivable' where code = '1100'`
})

test('tax that did not come back with all that claims it is found', async () => {
  const { database, context } = world()
  const { sql } = database
  const books = await settlingBooks(world())
  const contactId = await books.contact()
  const documentId = await books.document({ contactId, totalMinor: 300n, taxMinor: 50n })
  const giveUp = (amount: string, claimsTaxRelief: boolean) => {
    const about = { documentId, date: '2026-01-20', amount, claimsTaxRelief }
    return runOperation(writeOffInvoice, context, books.owner, about)
  }
  const plain = await giveUp('2', false)
  await giveUp('1', true)
  expect(await broken()).toEqual([])
  await sql`alter table books.journal_entries disable trigger user`
  await sql`
    update books.journal_entries
    set kind = 'debt.written_off_net'
    where source_id = ${plain.id}`
  await sql`alter table books.journal_entries enable trigger user`
  expect(await broken()).toEqual(['I14.3', 'I14.25'])
})
