// Issuing invoices: the number, the open item, the journal entry, the snapshot and the event. All
// invoices of one organisation wait for the same counter and journal.

import { createBusiness } from '../src/app/create-business.ts'
import { listAccounts } from '../src/books/accounts/account-store.ts'
import { createContact } from '../src/books/contacts/create-contact.ts'
import type { BooksContext } from '../src/books/context.ts'
import { addDocument } from '../src/books/documents/create-document.ts'
import { issueDocument } from '../src/books/documents/issue-document.ts'
import type { SystemActor } from '../src/kernel/auth/actor.ts'
import { connect } from '../src/kernel/db/database.ts'
import { Decimal } from '../src/kernel/money/decimal.ts'
import { runOperation } from '../src/kernel/operations/run-operation.ts'
import { startDatabase } from './database.ts'
import { contextOf } from './payout-baseline.ts'
import { measure, type Row } from './report.ts'
import { withDirectory } from './servers.ts'

const organisations = 100
const clients = 16
const invoicesPerRound = 200

export const issueRow: Row = {
  name: 'issue-invoices',
  title: `issuing invoices of one organisation against those of ${organisations}`,
  goal: { atLeast: 0.5 },
  unit: 'issued a second',
}

type Seller = {
  readonly actor: SystemActor
  readonly contactId: string
  readonly accountId: string
}

export async function measureIssuing(): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const server = await startDatabase(dataDir, defer)
    const database = connect({ url: server.url, poolSize: clients })
    defer(database.close)
    const context = contextOf(database) as BooksContext
    const sellers: Seller[] = []
    for (let number = 0; number < organisations; number += 1) {
      sellers.push(await newSeller(context, number))
    }
    await measure(issueRow, async () => ({
      ours: await issuedPerSecond(context, sellers.slice(0, 1)),
      baseline: await issuedPerSecond(context, sellers),
    }))
  })
}

async function newSeller(context: BooksContext, number: number): Promise<Seller> {
  const businessId = await context.database.transaction((tx) =>
    createBusiness(tx, context, 'bench', {
      name: `Business ${number}`,
      country: 'NG',
      baseCurrency: 'NGN',
      contactEmail: 'owner@example.com',
      contactPhone: '+2348000000000',
      kycStatus: 'verified',
      isDemo: true,
    }),
  )
  const actor = { kind: 'system', name: 'bench', businessId, environment: 'live' } as const
  const accounts = await listAccounts(context.database.sql, actor)
  const accountId = accounts.find(({ code }) => code === '4000')?.id ?? ''
  const { id } = await runOperation(createContact, context, actor, { name: 'Customer' })
  return { actor, contactId: id, accountId }
}

async function issuedPerSecond(context: BooksContext, sellers: readonly Seller[]): Promise<number> {
  const drafts: { actor: SystemActor; id: string }[] = []
  for (let number = 0; number < invoicesPerRound; number += 1) {
    const seller = sellers[number % sellers.length]
    if (seller) drafts.push({ actor: seller.actor, id: await newDraft(context, seller) })
  }
  const beganMs = performance.now()
  const goOn = async () => {
    for (let next = drafts.pop(); next; next = drafts.pop()) {
      await runOperation(issueDocument, context, next.actor, { id: next.id })
    }
  }
  await Promise.all(Array.from({ length: clients }, goOn))
  return (1000 * invoicesPerRound) / (performance.now() - beganMs)
}

async function newDraft(context: BooksContext, seller: Seller): Promise<string> {
  const line = {
    description: 'Work by the hour',
    quantity: new Decimal(1n, 0),
    unitPrice: new Decimal(125n, 1),
    accountId: seller.accountId,
  }
  const input = { contactId: seller.contactId, lines: [line, line, line] }
  const { id } = await context.database.transaction((tx) =>
    addDocument(tx, context, seller.actor, 'invoice', input),
  )
  return id
}
