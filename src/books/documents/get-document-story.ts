// Everything that is known about one document, for the people of the business: what it settled and
// was settled with, what was booked, who did what, which events went where, and what can be done.
import { z } from 'zod'
import { listActsOfObjects } from '../../kernel/auth/logged-act-store.ts'
import { type NamedAct, nameActors } from '../../kernel/auth/name-actors.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import {
  listDeliveriesOfEvents,
  listEventsOfObject,
  type SentDelivery,
  type SentEvent,
} from '../../kernel/webhooks/sent-event-store.ts'
import type { Account } from '../accounts/account.ts'
import { listAccounts } from '../accounts/account-store.ts'
import type { Contact } from '../contacts/contact.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { type InvoiceCharge, listChargesUnderWay } from '../invoice-pages/invoice-charge-store.ts'
import { invoiceUrl } from '../invoice-pages/invoice-page.ts'
import { findInvoicePage } from '../invoice-pages/invoice-page-store.ts'
import type { Allocation } from '../payments/allocation.ts'
import { listAllocations } from '../payments/allocation-store.ts'
import { findScheduleOfObject, type ScheduleOfObject } from '../recurring/recurring-period-store.ts'
import {
  type PlannedReminder,
  planReminders,
  reminderProblem,
  type StopKind,
} from '../reminders/reminder.ts'
import { findReminderSettings } from '../reminders/reminder-settings-store.ts'
import { listReminderStops, type ReminderStop } from '../reminders/reminder-stop-store.ts'
import { listReminderFacts } from '../reminders/reminder-store.ts'
import { type Organisation, today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { TaxCode } from '../taxes/tax-code.ts'
import { listTaxCodes } from '../taxes/tax-code-store.ts'
import type { Document, DocumentLine, DocumentWithLines } from './document.ts'
import { type ActProblems, actProblems, dueMinor } from './document-acts.ts'
import { findWholeDocument } from './document-list-store.ts'
import { documentSides, isCredit, isSale } from './document-status.ts'
import { listDocumentLines } from './document-store.ts'
import {
  type EntryLine,
  findQuoteOfInvoice,
  listEntryLinesOf,
  listRelatedDocuments,
  listUsedPayments,
  type RelatedDocument,
  type UsedPayment,
} from './document-story-store.ts'

export type DocumentStory = {
  readonly document: DocumentWithLines
  // When the customer first opened its page.
  readonly viewedAt: Date | null
  // Payments of customers that have not ended or are not booked.
  readonly charges: readonly InvoiceCharge[]
  // What stops its reminders or those of its contact.
  readonly stops: readonly ReminderStop[]
  // The next reminder, as things are.
  readonly nextReminder: PlannedReminder | undefined
  readonly organisation: Organisation
  readonly contact: Contact
  readonly lines: readonly DocumentLine[]
  readonly accounts: ReadonlyMap<string, Account>
  readonly taxCodes: ReadonlyMap<string, TaxCode>
  readonly dueMinor: bigint
  readonly isOverdue: boolean
  // Newest first, removed ones too.
  readonly allocations: readonly Allocation[]
  readonly payments: ReadonlyMap<string, UsedPayment>
  readonly related: ReadonlyMap<string, RelatedDocument>
  readonly quote: { readonly id: string; readonly number: string | null } | undefined
  // What made it by itself.
  readonly schedule: ScheduleOfObject | undefined
  readonly entryLines: readonly EntryLine[]
  readonly acts: readonly NamedAct[]
  readonly events: readonly (SentEvent & { readonly deliveries: readonly SentDelivery[] })[]
  readonly problems: ActProblems
}

export const getDocumentStory = defineOperation({
  name: 'get-document-story',
  summary: 'Read everything that happened to a document',
  kind: 'read',
  // Documents of the other side are not found.
  input: z.strictObject({ id: uuid(), side: z.enum(documentSides) }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock, publicUrl }, actor, { id, side }): Promise<DocumentStory> {
    const document = await findWholeDocument(sql, actor, id)
    if (!document || isSale(document.kind) !== (side === 'sales')) throw notFound('document')
    const [allocations, organisation, contact, lines, accounts, taxCodes, events, page, charges] =
      await Promise.all([
        listAllocations(sql, actor, id),
        findOrganisation(sql, actor),
        findContact(sql, actor, document.contactId),
        listDocumentLines(sql, actor, id),
        listAccounts(sql, actor),
        listTaxCodes(sql, actor),
        listEventsOfObject(sql, actor, id),
        findInvoicePage(sql, actor, id),
        listChargesUnderWay(sql, actor, id),
      ])
    const otherIds = allocations.flatMap(({ debitItemId, creditItemId }) => [
      debitItemId,
      creditItemId,
    ])
    const { creditsDocumentId } = document
    const relatedIds = creditsDocumentId === null ? otherIds : [...otherIds, creditsDocumentId]
    const sourceIds = [id, ...otherIds, ...allocations.map((one) => one.id)]
    const [payments, related, quote, schedule, acts, reminders, deliveries] = await Promise.all([
      listUsedPayments(sql, actor, otherIds),
      listRelatedDocuments(sql, actor, id, relatedIds),
      findQuoteOfInvoice(sql, actor, id),
      findScheduleOfObject(sql, actor, id),
      listActsOfObjects(sql, actor, [id]),
      findReminders(sql, actor, document, clock.now()),
      listDeliveriesOfEvents(
        sql,
        actor,
        events.map((event) => event.id),
      ),
    ])
    const documentIds = new Set(related.map((one) => one.id))
    // The entries of other documents are theirs.
    const ownIds = sourceIds.filter((one) => one === id || !documentIds.has(one))
    const due = dueMinor(document)
    return {
      document: page
        ? { ...document, hostedUrl: invoiceUrl(publicUrl, actor, page.publicId) }
        : document,
      viewedAt: page?.viewedAt ?? null,
      charges,
      ...reminders,
      organisation,
      contact: assertDefined(contact, 'a document without its contact'),
      lines,
      accounts: new Map(accounts.map((account) => [account.id, account])),
      taxCodes: new Map(taxCodes.map((code) => [code.id, code])),
      dueMinor: due,
      isOverdue:
        due > 0n && !isCredit(document.kind) && document.dueDate < today(organisation, clock.now()),
      allocations,
      payments: new Map(payments.map((payment) => [payment.id, payment])),
      related: new Map(related.filter((one) => one.id !== id).map((one) => [one.id, one])),
      quote,
      schedule,
      entryLines: await listEntryLinesOf(sql, actor, ownIds),
      acts: await nameActors(sql, actor, acts),
      events: events.map((event) => ({
        ...event,
        deliveries: deliveries.filter(({ eventId }) => eventId === event.id),
      })),
      problems:
        actor.kind === 'person'
          ? actProblems(document, organisation, actor, kindsOf(reminders.stops))
          : {},
    }
  },
})

function kindsOf(stops: readonly ReminderStop[]): StopKind[] {
  return stops.filter(({ documentId }) => documentId !== null).map(({ kind }) => kind)
}

// Steps are at most a year away from the due date.
const daysAhead = 400

async function findReminders(
  sql: Sql,
  tenant: Tenant,
  { id, kind, contactId }: Document,
  now: Date,
): Promise<Pick<DocumentStory, 'stops' | 'nextReminder'>> {
  if (kind !== 'invoice') return { stops: [], nextReminder: undefined }
  const [stops, settings, [facts]] = await Promise.all([
    listReminderStops(sql, tenant, { documentId: id, contactId }),
    findReminderSettings(sql, tenant),
    listReminderFacts(sql, tenant, { documentId: id, limit: 1 }),
  ])
  const isReminded = settings?.isOn && facts && !reminderProblem(facts)
  const planned = isReminded ? planReminders(settings, facts, now, daysAhead) : []
  return { stops, nextReminder: planned[0] }
}
