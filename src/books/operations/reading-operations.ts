// Everything that people read in the books and the interface does not show.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { listAccounts } from '../accounts/account-store.ts'
import { listContacts } from '../contacts/contact-store.ts'
import type { BooksContext } from '../context.ts'
import { findWholeDocument, listDocuments } from '../documents/document-list-store.ts'
import { documentKinds, documentStatuses } from '../documents/document-status.ts'
import { listItems } from '../items/item-store.ts'
import { leadStatuses } from '../leads/lead.ts'
import { listLeads } from '../leads/lead-store.ts'
import { listAllocations } from '../payments/allocation-store.ts'
import { listOpenItems } from '../payments/open-item-store.ts'
import { listPayments } from '../payments/payment-store.ts'
import { quoteStatuses } from '../quotes/quote.ts'
import { findQuote, listQuotes } from '../quotes/quote-store.ts'
import { agedInput, reportAged } from '../reports/get-aged-report.ts'
import { reportBalanceSheet } from '../reports/get-balance-sheet.ts'
import { profitAndLossQuery, reportProfitAndLoss } from '../reports/get-profit-and-loss.ts'
import { reportTrialBalance } from '../reports/get-trial-balance.ts'
import { generalLedgerInput, listGeneralLedger } from '../reports/list-general-ledger.ts'
import { asOfQuery } from '../reports/report-schema.ts'
import { movementStatuses } from '../service-money/movement.ts'
import { listMovements } from '../service-money/movement-store.ts'
import { findServiceMoney } from '../service-money/set-service-money.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { listTaxCodes } from '../taxes/tax-code-store.ts'
import { type BooksOperation, defineOperation } from './operation.ts'

const limit = z.int().min(1).max(200).default(50)
const nothing = z.strictObject({})
const wantedLeads = z.strictObject({ status: z.enum(leadStatuses).optional(), limit })
const wantedQuotes = z.strictObject({ status: z.enum(quoteStatuses).optional(), limit })
const wantedPayments = z.strictObject({ contactId: uuid().optional(), limit })
const wantedMovements = z.strictObject({ status: z.enum(movementStatuses).optional(), limit })
const ofContact = z.strictObject({ contactId: uuid() })
const ofItem = z.strictObject({ itemId: uuid() })
const wantedContacts = z.strictObject({ type: z.enum(['customer', 'supplier']).optional() })
const wantedDocuments = z.strictObject({
  kind: z.enum(documentKinds).optional(),
  status: z.enum(documentStatuses).optional(),
  contactId: uuid().optional(),
  limit,
  offset: z.int().min(0).default(0),
})
const one = z.strictObject({ id: uuid() })

export const booksReadings = {
  'get-organisation': reading('Show how the books are kept', nothing, ({ database }, actor) =>
    findOrganisation(database.sql, actor),
  ),
  'list-accounts': reading('List the chart of accounts', nothing, ({ database }, actor) =>
    listAccounts(database.sql, actor),
  ),
  'list-contacts': reading('List contacts by name', wantedContacts, ({ database }, actor, wanted) =>
    listContacts(database.sql, actor, wanted.type),
  ),
  'list-documents': reading(
    'List the newest documents',
    wantedDocuments,
    ({ database }, actor, w) =>
      listDocuments(
        database.sql,
        actor,
        {
          kinds: w.kind ? [w.kind] : documentKinds,
          status: w.status,
          contactId: w.contactId,
          from: undefined,
          to: undefined,
        },
        { limit: w.limit, offset: w.offset },
      ),
  ),
  'get-document': reading(
    'Show a document and its lines',
    one,
    async ({ database }, actor, { id }) => {
      const document = await findWholeDocument(database.sql, actor, id)
      if (!document) throw notFound('document')
      return document
    },
  ),
  'list-items': reading('List the items', nothing, ({ database }, actor) =>
    listItems(database.sql, actor),
  ),
  'list-tax-codes': reading('List the tax codes', nothing, ({ database }, actor) =>
    listTaxCodes(database.sql, actor),
  ),
  'list-leads': reading('List the newest leads', wantedLeads, ({ database }, actor, wanted) =>
    listLeads(database.sql, actor, wanted.status, wanted.limit),
  ),
  'list-quotes': reading('List the newest quotes', wantedQuotes, ({ database }, actor, wanted) =>
    listQuotes(database.sql, actor, wanted.status, wanted.limit),
  ),
  'get-quote': reading('Show one quote', one, async ({ database }, actor, { id }) => {
    const quote = await findQuote(database.sql, actor, id)
    if (!quote) throw notFound('quote')
    return quote
  }),
  'list-payments': reading('List the newest payments', wantedPayments, (context, actor, wanted) =>
    listPayments(context.database.sql, actor, wanted.contactId, wanted.limit),
  ),
  'get-service-money': reading(
    'Show how the money of the payment service is booked, and what waits',
    nothing,
    ({ database }, actor) => findServiceMoney(database.sql, actor),
  ),
  'list-service-movements': reading(
    'List the newest movements of the payment service, and why they wait',
    wantedMovements,
    ({ database }, actor, wanted) =>
      listMovements(database.sql, actor, wanted.status, wanted.limit),
  ),
  'list-open-items': reading(
    'List what is open of a contact',
    ofContact,
    (context, actor, wanted) => listOpenItems(context.database.sql, actor, wanted.contactId),
  ),
  'list-allocations': reading(
    'List what a document or payment was settled with',
    ofItem,
    ({ database }, actor, { itemId }) => listAllocations(database.sql, actor, itemId),
  ),
  'report-trial-balance': reading('The trial balance', asOfQuery, reportTrialBalance),
  'report-profit-and-loss': reading('Profit and loss', profitAndLossQuery, reportProfitAndLoss),
  'report-balance-sheet': reading('The balance sheet', asOfQuery, reportBalanceSheet),
  'report-aged': reading('What is owed, by age', agedInput, reportAged),
  'report-general-ledger': reading(
    'The lines of an account',
    generalLedgerInput,
    listGeneralLedger,
  ),
} as const satisfies Readonly<Record<string, BooksOperation>>

function reading<Shape extends z.ZodRawShape>(
  summary: string,
  schema: z.ZodObject<Shape>,
  read: (
    context: BooksContext,
    actor: Actor,
    wanted: z.output<z.ZodObject<Shape>>,
  ) => Promise<unknown>,
): BooksOperation {
  return defineOperation(summary, schema, (context, actor, input) =>
    read(context, actor, validated(schema, input)),
  )
}
