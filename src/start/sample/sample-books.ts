// The books of the coffee shop: customers and suppliers, items, invoices in every state, bills, an
// expense claim and quotes. Companies and goods are plainly made up.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { createContact } from '../../books/contacts/create-contact.ts'
import { approveDocument } from '../../books/documents/approve-document.ts'
import { createDocument } from '../../books/documents/create-document.ts'
import { issueDocument } from '../../books/documents/issue-document.ts'
import { voidDocument } from '../../books/documents/void-document.ts'
import { createItem } from '../../books/items/create-item.ts'
import { recordPayment } from '../../books/payments/record-payment.ts'
import { createQuote } from '../../books/quotes/create-quote.ts'
import { sendQuote } from '../../books/quotes/send-quote.ts'
import { setServiceMoney } from '../../books/service-money/set-service-money.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import type { SampleWorld } from './sample-world.ts'

const currency = 'NGN'

const customers = [
  { name: 'cafe', title: 'Example Café' },
  { name: 'hotel', title: 'Placeholder Hotel' },
  { name: 'offices', title: 'Sample Offices Ltd' },
  { name: 'deli', title: 'Test Street Deli' },
] as const

const suppliers = [
  { name: 'roastery', title: 'Imaginary Roastery' },
  { name: 'packaging', title: 'Made-up Packaging Works' },
  { name: 'landlord', title: 'Example Property Company' },
] as const

export type Good = { name: string; code: string; title: string; price: string }

const goods: readonly Good[] = [
  { name: 'beans', code: 'BEANS-5', title: 'Coffee beans, 5 kg', price: '52000' },
  { name: 'tea', code: 'TEA-1', title: 'Loose tea, 1 kg', price: '18500' },
  { name: 'service', code: 'SERVICE', title: 'Machine service', price: '35000' },
  { name: 'tasting', code: 'TASTING', title: 'Tasting for ten', price: '60000' },
]

// Until the sample data is complete; fill-sample-data.ts switches it on again.
export async function switchBookkeepingOff(world: SampleWorld): Promise<void> {
  await runOperation(setServiceMoney, world.context(), world.owner, { isOn: false })
}

export async function addContacts(world: SampleWorld): Promise<void> {
  for (const { name, title } of customers) {
    await addContact(world, name, title, { isCustomer: true, paymentTermsDays: 14 })
  }
  for (const { name, title } of suppliers) {
    const supplies = { isCustomer: false, isSupplier: true, paymentTermsDays: 30 }
    await addContact(world, name, title, supplies)
  }
}

async function addContact(world: SampleWorld, name: string, title: string, more: object) {
  const input = { name: title, email: `accounts@${name}.example`, ...more }
  const made = await runOperation(createContact, world.context(), world.owner, input)
  await world.keep(`contact ${name}`, made.id)
}

export async function addItems(world: SampleWorld): Promise<void> {
  for (const { name, code, title, price } of goods) {
    const input = { code, name: title, salesUnitPrice: price }
    const made = await runOperation(createItem, world.context(), world.owner, input)
    await world.keep(`item ${name}`, made.id)
  }
}

type Line = { readonly good?: Good['name']; readonly text?: string; readonly quantity: string }

export type SampleDocument = {
  readonly name: string
  readonly kind: 'invoice' | 'bill' | 'credit_note' | 'expense_claim'
  readonly contact: string
  readonly lines: readonly (Line & { readonly price?: string; readonly account?: string })[]
  readonly credits?: string
  readonly isDraft?: boolean
}

// Creates the document and books it, unless it stays a draft.
export async function addDocument(world: SampleWorld, wanted: SampleDocument): Promise<void> {
  const contactId = await world.find(`contact ${wanted.contact}`)
  const creditsDocumentId = wanted.credits && (await world.find(wanted.credits))
  if (!contactId || (wanted.credits && !creditsDocumentId)) return
  const input = {
    kind: wanted.kind,
    contactId,
    lines: await Promise.all(wanted.lines.map((line) => toLine(world, line))),
    ...(creditsDocumentId && { creditsDocumentId }),
  }
  const { id } = await runOperation(createDocument, world.context(), world.owner, input)
  await world.keep(wanted.name, id)
  if (wanted.isDraft) return
  world.wait(20 * 60)
  const isSale = wanted.kind === 'invoice' || wanted.kind === 'credit_note'
  const book = isSale ? issueDocument : approveDocument
  await runOperation(book, world.context(), world.owner, { id })
}

async function toLine(world: SampleWorld, line: SampleDocument['lines'][number]) {
  const good = goods.find(({ name }) => name === line.good)
  const itemId = good && (await world.find(`item ${good.name}`))
  return {
    description: line.text ?? good?.title ?? 'Goods',
    quantity: line.quantity,
    unitPrice: line.price ?? good?.price ?? '0',
    ...(itemId && { itemId }),
    ...(line.account && { accountId: await accountId(world, line.account) }),
  }
}

export async function payDocument(
  world: SampleWorld,
  wanted: { document: string; contact: string; direction: 'in' | 'out'; amount: string },
): Promise<void> {
  const contactId = await world.find(`contact ${wanted.contact}`)
  const itemId = await world.find(wanted.document)
  if (!contactId || !itemId) return
  await runOperation(recordPayment, world.context(), world.owner, {
    direction: wanted.direction,
    contactId,
    date: world.now().toISOString().slice(0, 10),
    currency,
    amount: wanted.amount,
    accountId: await accountId(world, '1000'),
    allocations: [{ itemId, amount: wanted.amount }],
  })
}

export async function voidInvoice(world: SampleWorld, name: string): Promise<void> {
  const id = await world.find(name)
  if (id) await runOperation(voidDocument, world.context(), world.owner, { id })
}

export async function addQuote(
  world: SampleWorld,
  wanted: Pick<SampleDocument, 'name' | 'contact' | 'lines'> & { isSent: boolean },
): Promise<void> {
  const contactId = await world.find(`contact ${wanted.contact}`)
  if (!contactId) return
  const lines = await Promise.all(wanted.lines.map((line) => toLine(world, line)))
  const quote = { contactId, lines }
  const { id } = await runOperation(createQuote, world.context(), world.owner, quote)
  if (!wanted.isSent) return
  world.wait(10 * 60)
  await runOperation(sendQuote, world.context(), world.owner, { id, isMailed: false })
}

async function accountId(world: SampleWorld, code: string): Promise<string> {
  const accounts = await runOperation(listAccounts, world.context(), world.owner, { code })
  const found = accounts.find((account) => account.code === code)
  if (!found) throw new Error(`the chart of accounts has no ${code}`)
  return found.id
}
