// What happens in the books of the sandbox: the operations behind the routes and the pages, one
// after the other, until the event is reached. Each story begins with a contact of its own.
import { listAccounts } from '../../books/accounts/account-store.ts'
import { createContact } from '../../books/contacts/create-contact.ts'
import { approveDocument } from '../../books/documents/approve-document.ts'
import { createDocument } from '../../books/documents/create-document.ts'
import { createInvoice } from '../../books/documents/create-invoice.ts'
import type { Document } from '../../books/documents/document.ts'
import { issueDocument } from '../../books/documents/issue-document.ts'
import { submitDocument } from '../../books/documents/submit-document.ts'
import { voidDocument } from '../../books/documents/void-document.ts'
import { createLead, winLead } from '../../books/leads/manage-leads.ts'
import { recordPayment } from '../../books/payments/record-payment.ts'
import { type Decision, decideQuote } from '../../books/quotes/decide-quote.ts'
import { sendQuote } from '../../books/quotes/send-quote.ts'
import { createQuote } from '../../books/quotes/write-quote.ts'
import { today } from '../../books/settings/organisation.ts'
import { findOrganisation } from '../../books/settings/organisation-store.ts'
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { callRoute, findTriggerKey } from './trigger-key.ts'

// Answers the id of what the event is about.
export type Act = (context: ServiceContext, tenant: Tenant) => Promise<string>

export const bookActs: Readonly<Record<string, Act>> = {
  'contact.created': addContact,
  'invoice.created': async (...world) => (await draftInvoice(...world)).id,
  'invoice.issued': async (...world) => (await issueInvoice(...world)).id,
  'invoice.paid': async (...world) => pay(...world, await issueInvoice(...world)),
  'invoice.voided': async (context, tenant) => {
    const { id } = await issueInvoice(context, tenant)
    return (await voidDocument(context, actorOf(tenant), id)).id
  },
  'bill.created': async (...world) => (await draftBill(...world)).id,
  'bill.approved': async (...world) => (await approveBill(...world)).id,
  'bill.paid': async (...world) => pay(...world, await approveBill(...world)),
  'quote.accepted': (...world) => decide(...world, { kind: 'accept', name: 'A customer' }),
  'quote.declined': (...world) =>
    decide(...world, { kind: 'decline', name: 'A customer', reason: 'Too dear' }),
  'lead.won': async (context, tenant) => {
    const { baseCurrency: currency } = await findOrganisation(context.database.sql, tenant)
    const lead = { name: 'Two desks', company: 'A company of cli trigger', currency }
    const { id } = await createLead(context, actorOf(tenant), lead)
    const contactId = await addContact(context, tenant)
    return (await winLead(context, actorOf(tenant), id, { contactId })).id
  },
}

const actorOf = (tenant: Tenant): SystemActor => ({
  ...tenant,
  kind: 'system',
  name: 'cli trigger',
})

async function addContact(context: ServiceContext, tenant: Tenant): Promise<string> {
  const actor = await findTriggerKey(context, tenant, 'books')
  const body = {
    name: 'A contact of cli trigger',
    email: 'contact@example.com',
    is_supplier: true,
  }
  return String((await callRoute(createContact, context, actor, { body })).id)
}

const reference = 'cli trigger'

async function draftInvoice(context: ServiceContext, tenant: Tenant): Promise<{ id: string }> {
  const line = { description: 'A desk', quantity: 2, unit_price: 2500 }
  const body = {
    contact_id: await addContact(context, tenant),
    reference,
    lines: [{ ...line, account_id: await accountOf(context, tenant, 'sales') }],
  }
  const actor = await findTriggerKey(context, tenant, 'books')
  return { id: String((await callRoute(createInvoice, context, actor, { body })).id) }
}

async function issueInvoice(context: ServiceContext, tenant: Tenant): Promise<Document> {
  const needsApproval = await approvalsOf(context, tenant)
  const { id } = await draftInvoice(context, tenant)
  if (needsApproval) {
    await submitDocument(context, actorOf(tenant), id)
    await approveDocument(context, actorOf(tenant), id)
  }
  return issueDocument(context, actorOf(tenant), id, { isSent: true })
}

async function draftBill(context: ServiceContext, tenant: Tenant): Promise<Document> {
  const line = { description: 'Paper', quantity: '2', unit_price: '1200' }
  const { document } = await createDocument(context, actorOf(tenant), 'bill', {
    contact_id: await addContact(context, tenant),
    reference,
    lines: [{ ...line, account_id: await accountOf(context, tenant, 'operating_expense') }],
  })
  return document
}

async function approveBill(context: ServiceContext, tenant: Tenant): Promise<Document> {
  const needsApproval = await approvalsOf(context, tenant)
  const { id } = await draftBill(context, tenant)
  if (needsApproval) await submitDocument(context, actorOf(tenant), id)
  return approveDocument(context, actorOf(tenant), id)
}

// Whether documents wait for an approval, which is a setting of the books. Where it must be another
// person's, a command cannot give it, and nothing is begun.
async function approvalsOf({ database }: ServiceContext, tenant: Tenant): Promise<boolean> {
  const { approvalsOn, fourEyesOn } = await findOrganisation(database.sql, tenant)
  if (!approvalsOn || !fourEyesOn) return approvalsOn
  const why = 'In these books somebody else than the author approves documents.'
  throw new Fault('conflict', `${why} Switch that off in the sandbox first.`)
}

async function pay(
  context: ServiceContext,
  tenant: Tenant,
  { id, kind, contactId, currency, totalMinor }: Document,
): Promise<string> {
  const organisation = await findOrganisation(context.database.sql, tenant)
  const { decimals } = assertDefined(findCurrency(currency), 'a document in no currency')
  const amount = majorText(totalMinor, decimals)
  await recordPayment(context, actorOf(tenant), {
    direction: kind === 'invoice' ? 'in' : 'out',
    ...{ contactId, currency, amount, reference },
    date: today(organisation, context.clock.now()),
    accountId: await accountOf(context, tenant, 'bank'),
    allocations: [{ itemId: id, amount }],
  })
  return id
}

async function decide(
  context: ServiceContext,
  tenant: Tenant,
  decision: Decision,
): Promise<string> {
  const quote = await createQuote(context, actorOf(tenant), {
    contact_id: await addContact(context, tenant),
    reference,
    lines: [{ description: 'A desk', quantity: '2', unit_price: '2500' }],
  })
  const { id, publicId } = await sendQuote(context, actorOf(tenant), quote.id, { isMailed: false })
  const page = assertDefined(publicId, 'a quote that was sent has a page')
  return (await decideQuote(context, tenant, { id, publicId: page }, decision)).id
}

async function accountOf(
  { database: { sql } }: ServiceContext,
  tenant: Tenant,
  subtype: string,
): Promise<string> {
  const accounts = await listAccounts(sql, tenant)
  const found = accounts.find((account) => account.active && account.subtype === subtype)
  if (found) return found.id
  throw new Fault('conflict', `The chart of accounts of the sandbox has no ${subtype} account.`)
}
