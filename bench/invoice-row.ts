// Draft invoices of five lines over HTTP. Accounts and taxes come from the customer.

import { listAccounts } from '../src/books/accounts/account-store.ts'
import { insertContact } from '../src/books/contacts/contact-store.ts'
import { createContact } from '../src/books/contacts/create-contact.ts'
import type { BooksContext } from '../src/books/context.ts'
import { createTaxCode } from '../src/books/taxes/create-tax-code.ts'
import { runOperation } from '../src/kernel/operations/run-operation.ts'
import { invoiceContactId, loadingConnection } from './data.ts'
import { contextOf } from './payout-baseline.ts'
import type { Row } from './report.ts'
import type { RunningService } from './servers.ts'
import { measureWrites } from './write-row.ts'

export const invoiceRow: Row = {
  name: 'create-invoice',
  title: 'POST /invoices of five lines, each with its idempotency key, against the same SQL',
  goal: { atLeast: 0.6 },
  unit: 'requests a second',
}

const lines = [1, 2, 3, 4, 5].map((quantity) => ({
  description: 'Work by the hour',
  quantity,
  unit_price: 12.5,
}))

export async function measureInvoices(): Promise<void> {
  await measureWrites(invoiceRow, {
    path: '/books/api/v1/invoices',
    varied: 'invoice',
    body: { contact_id: invoiceContactId, lines },
    status: 201,
    differing: /"(id|created_at)":"[^"]+"/g,
    keyOf: ({ demo }) => demo.books.key,
    prepare: addCustomer,
  })
}

async function addCustomer({ dataDir, demo }: RunningService): Promise<void> {
  const database = loadingConnection(dataDir)
  // The context of operations that use only the database.
  const context = contextOf(database) as BooksContext
  const actor = {
    kind: 'system',
    name: 'bench',
    businessId: demo.business_id,
    environment: 'live',
  } as const
  const accounts = await listAccounts(database.sql, actor)
  const components = [{ name: 'VAT', rate: '7.5' }]
  const { id: salesTaxCodeId } = await runOperation(createTaxCode, context, actor, {
    name: 'VAT',
    components,
  })
  const salesAccountId = accounts.find(({ code }) => code === '4000')?.id ?? null
  const customer = { name: 'Customer', salesAccountId, salesTaxCodeId }
  const { warnings: _, ...made } = await runOperation(createContact, context, actor, customer)
  // A second contact with the id in requests.lua.
  await database.transaction((tx) => insertContact(tx, actor, { ...made, id: invoiceContactId }))
  await database.close()
}
