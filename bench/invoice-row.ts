// Draft invoices of five lines over HTTP, whose accounts and taxes come from the customer.

import { listAccounts } from '../src/books/accounts/account-store.ts'
import { insertContact } from '../src/books/contacts/contact-store.ts'
import { createContactInApplication } from '../src/books/contacts/create-contact.ts'
import type { BooksContext } from '../src/books/context.ts'
import { createTaxCode } from '../src/books/taxes/create-tax-code.ts'
import { invoiceContactId, loadingConnection } from './data.ts'
import { compare } from './load.ts'
import { contextOf } from './payout-floor.ts'
import { measure, type Row } from './report.ts'
import {
  type Running,
  type RunningService,
  startFloor,
  startService,
  withDirectory,
} from './servers.ts'

const path = '/books/api/v1/invoices'

export const invoiceRow: Row = {
  name: 'create-invoice',
  title: 'POST /invoices of five lines, each with its idempotency key, against the same SQL',
  goal: { atLeast: 0.6 },
  unit: 'requests a second',
}

export async function measureInvoices(): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    await addCustomer(service)
    const floor = await startFloor(service)
    defer(floor.stop)
    const headers = { authorization: `Bearer ${service.demo.books.key}` }
    await assertSameAnswer(service, floor, headers)
    const request = { path, headers, varied: ['invoice', 1] } as const
    await measure(invoiceRow, () => compare(service, floor, request))
  })
}

async function addCustomer({ dataDir, demo }: RunningService): Promise<void> {
  const database = loadingConnection(dataDir)
  // What operations on the database alone ask for.
  const context = contextOf(database) as BooksContext
  const actor = {
    kind: 'system',
    name: 'bench',
    businessId: demo.business_id,
    environment: 'live',
  } as const
  const accounts = await listAccounts(database.sql, actor)
  const components = [{ name: 'VAT', rate: '7.5' }]
  const { id: salesTaxCodeId } = await createTaxCode(context, actor, { name: 'VAT', components })
  const salesAccountId = accounts.find(({ code }) => code === '4000')?.id ?? null
  const customer = { name: 'Customer', salesAccountId, salesTaxCodeId }
  const made = await createContactInApplication(context, actor, customer)
  // Once more, under an id that requests.lua knows.
  await database.transaction((tx) => insertContact(tx, actor, { ...made, id: invoiceContactId }))
  await database.close()
}

// A floor that answered something else would be no floor; only ids and times are others.
async function assertSameAnswer(
  service: Running,
  floor: Running,
  headers: Record<string, string>,
): Promise<void> {
  const lines = [1, 2, 3, 4, 5].map((quantity) => ({
    description: 'Work by the hour',
    quantity,
    unit_price: 12.5,
  }))
  const [ours, bare] = await Promise.all(
    [service, floor].map(async ({ url, name }) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify({ contact_id: invoiceContactId, lines }),
      })
      const text = await response.text()
      if (response.status !== 201) throw new Error(`${path}: ${response.status} ${text}`)
      return text.replaceAll(/"(id|created_at)":"[^"]+"/g, '')
    }),
  )
  if (ours !== bare) throw new Error(`${path}: the floor answers other bytes: ${bare} not ${ours}`)
}
