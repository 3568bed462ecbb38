// Causes an event in the books of the sandbox by running the operations that lead to it. Each run
// starts with a new contact.
import type { z } from 'zod'
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { createContact } from '../../books/contacts/create-contact.ts'
import type { BooksContext } from '../../books/context.ts'
import { approveDocument } from '../../books/documents/approve-document.ts'
import { createDocument } from '../../books/documents/create-document.ts'
import type { Document } from '../../books/documents/document.ts'
import { issueDocument } from '../../books/documents/issue-document.ts'
import { submitDocument } from '../../books/documents/submit-document.ts'
import { voidDocument } from '../../books/documents/void-document.ts'
import { createLead } from '../../books/leads/create-lead.ts'
import { winLead } from '../../books/leads/win-lead.ts'
import { recordPayment } from '../../books/payments/record-payment.ts'
import { createQuote } from '../../books/quotes/create-quote.ts'
import { decideQuote } from '../../books/quotes/decide-quote.ts'
import { sendQuote } from '../../books/quotes/send-quote.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'

// Returns the id of the event's object.
export type Act = (context: ServiceContext, tenant: Tenant) => Promise<string>

export const bookActs: Readonly<Record<string, Act>> = {
  'contact.created': story(addContact),
  'invoice.created': story(async (run) => (await draftInvoice(run)).id),
  'invoice.issued': story(async (run) => (await issueInvoice(run)).id),
  'invoice.paid': story(async (run) => pay(run, await issueInvoice(run))),
  'invoice.voided': story(async (run) => {
    const { id } = await issueInvoice(run)
    return (await run(voidDocument, { id })).id
  }),
  'bill.created': story(async (run) => (await draftBill(run)).id),
  'bill.approved': story(async (run) => (await approveBill(run)).id),
  'bill.paid': story(async (run) => pay(run, await approveBill(run))),
  'quote.accepted': story((run) => decide(run, { decision: 'accept', name: 'A customer' })),
  'quote.declined': story((run) =>
    decide(run, { decision: 'decline', name: 'A customer', reason: 'Too dear' }),
  ),
  'lead.won': story(async (run) => {
    const { baseCurrency: currency } = await run(getOrganisation, {})
    const lead = { name: 'Two desks', company: 'A company of cli trigger', currency }
    const { id } = await run(createLead, lead)
    return (await run(winLead, { id, contactId: await addContact(run) })).id
  }),
}

// Runs an operation of the books in the sandbox, as the command.
type Run = <Input extends z.ZodType, Result>(
  operation: Operation<BooksContext, Input, Result>,
  input: z.input<Input>,
) => Promise<Result>

function story(tell: (run: Run) => Promise<string>): Act {
  return (context, tenant) => {
    const actor = { ...tenant, kind: 'system', name: 'cli trigger' } as const
    return tell((operation, input) => runOperation(operation, context, actor, input))
  }
}

async function addContact(run: Run): Promise<string> {
  const name = 'A contact of cli trigger'
  const contact = { name, email: 'contact@example.com', isSupplier: true }
  return (await run(createContact, contact)).id
}

const reference = 'cli trigger'

async function draftInvoice(run: Run): Promise<Document> {
  const line = { description: 'A desk', quantity: '2', unitPrice: '2500' }
  return run(createDocument, {
    kind: 'invoice',
    contactId: await addContact(run),
    reference,
    lines: [{ ...line, accountId: await accountOf(run, 'sales') }],
  })
}

async function issueInvoice(run: Run): Promise<Document> {
  const needsApproval = await approvalsOf(run)
  const { id } = await draftInvoice(run)
  if (needsApproval) {
    await run(submitDocument, { id })
    await run(approveDocument, { id })
  }
  return run(issueDocument, { id, isSent: true })
}

async function draftBill(run: Run): Promise<Document> {
  const line = { description: 'Paper', quantity: '2', unitPrice: '1200' }
  return run(createDocument, {
    kind: 'bill',
    contactId: await addContact(run),
    reference,
    lines: [{ ...line, accountId: await accountOf(run, 'operating_expense') }],
  })
}

async function approveBill(run: Run): Promise<Document> {
  const needsApproval = await approvalsOf(run)
  const { id } = await draftBill(run)
  if (needsApproval) await run(submitDocument, { id })
  return run(approveDocument, { id })
}

// Whether documents need an approval, which is a setting of the books. If another person must
// approve, a command can't, and this refuses before it creates anything.
async function approvalsOf(run: Run): Promise<boolean> {
  const { approvalsOn, fourEyesOn } = await run(getOrganisation, {})
  if (!approvalsOn || !fourEyesOn) return approvalsOn
  const why = "In these books, authors can't approve their own documents."
  throw new Fault('conflict', `${why} Switch four eyes off in the sandbox first.`)
}

async function pay(
  run: Run,
  { id, kind, contactId, currency, totalMinor, date }: Document,
): Promise<string> {
  const { decimals } = currencyOf(currency)
  const amount = majorText(totalMinor, decimals)
  await run(recordPayment, {
    direction: kind === 'invoice' ? 'in' : 'out',
    ...{ contactId, currency, amount, reference },
    // Drafts without a date are dated today.
    date,
    accountId: await accountOf(run, 'bank'),
    allocations: [{ itemId: id, amount }],
  })
  return id
}

type Decision = Pick<z.input<typeof decideQuote.input>, 'decision' | 'name' | 'reason'>

async function decide(run: Run, decision: Decision): Promise<string> {
  const quote = await run(createQuote, {
    contactId: await addContact(run),
    reference,
    lines: [{ description: 'A desk', quantity: '2', unitPrice: '2500' }],
  })
  const { id, publicId } = await run(sendQuote, { id: quote.id, isMailed: false })
  const page = assertDefined(publicId, 'a quote that was sent has a page')
  return (await run(decideQuote, { id, publicId: page, ...decision })).id
}

async function accountOf(run: Run, subtype: string): Promise<string> {
  const accounts = await run(listAccounts, {})
  const found = accounts.find((account) => account.active && account.subtype === subtype)
  if (found) return found.id
  throw new Fault('conflict', `The chart of accounts of the sandbox has no ${subtype} account.`)
}
