// Movements of the merchant service are posted in the books once, even if processes die.

import { expect } from 'vitest'
import { findDocument } from '../../src/books/documents/document-store.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { invoicePath } from '../../src/books/invoice-pages/invoice-page.ts'
import { findInvoicePage } from '../../src/books/invoice-pages/invoice-page-store.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { listBusinessBalances } from '../../src/merchant/balances/balance-store.ts'
import { type Books, newBooks } from '../support/documents.ts'
import { type Begun, newLink, payment, type Shop, shop } from '../support/payments.ts'
import { amountOn } from '../support/service-money.ts'
import type { Lane } from './lane.ts'
import { type Operation, operation } from './sweep.ts'

type Subject = Begun & { readonly books: Books; readonly invoiceId: string }

type PathOf = (lane: Lane, seller: Shop, invoice: { id: string; number: string }) => Promise<string>

export const bridgeOperations: readonly Operation[] = [
  paying(
    'a payment through a link pays its invoice in the books',
    ({ world }, seller, { number }) => newLink(world, seller, { title: `Invoice ${number}` }),
  ),
  paying('a customer pays an invoice on its page', async ({ world }, { tenant }, { id }) => {
    const page = await findInvoicePage(world.database.sql, tenant, id)
    return invoicePath(tenant, page?.publicId ?? '')
  }),
]

function paying(name: string, pathOf: PathOf): Operation {
  return operation<Subject>({
    name,
    async setUp(lane) {
      const { world } = lane
      const books = await newBooks(world, { baseCurrency: 'NGN' })
      const line = { description: 'Work', unitPrice: '1000', accountId: books.account('4000') }
      const { id } = await books.draft('invoice', { lines: [line] })
      await runOperation(issueDocument, world.context, books.owner, { id })
      const seller = await shop(world, { businessId: books.businessId })
      const number = (await findDocument(world.database.sql, books, id))?.number ?? ''
      const path = await pathOf(lane, seller, { id, number })
      return { ...(await payment(world, seller, path)), books, invoiceId: id }
    },
    async run({ world }, { tenant, reference }) {
      await world.simulator.pay(tenant, reference)
      await world.simulator.drain()
    },
    end: expectPaid,
    effects: (_lane, { tenant, reference }) => ({ tenant, reference, counts: { charge: 1 } }),
  })
}

async function expectPaid({ world }: Lane, { tenant, books, invoiceId }: Subject): Promise<void> {
  const { sql } = world.database
  const invoice = await findDocument(sql, books, invoiceId)
  const [balance] = await listBusinessBalances(sql, tenant)
  const entries = await sql<{ kind: string }[]>`
    select kind
    from books.journal_entries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by sequence`
  expect({
    status: invoice?.status,
    clearing: await amountOn(world, tenant, '1150', 'NGN'),
    entries: entries.map(({ kind }) => kind),
  }).toEqual({
    status: 'paid',
    clearing: (balance?.pendingMinor ?? 0n) + (balance?.availableMinor ?? 0n),
    entries: ['invoice.issued', 'payment.recorded'],
  })
}
