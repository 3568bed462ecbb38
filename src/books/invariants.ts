// The invariants of the books.
import { type Invariant, violationsMax } from '../kernel/db/invariant.ts'
import {
  listAllocationsAcrossContacts,
  listMischainedContacts,
} from './contacts/contact-invariant-store.ts'
import {
  listChangedFiles,
  listKeysWithoutDocument,
  listMiscreditedDocuments,
  listMispricedDocuments,
  listMisreportedDocuments,
  listMisstatedDocuments,
  listMistaxedDocuments,
  listUndrawnDocuments,
} from './documents/document-invariant-store.ts'
import {
  listContactsWithoutOneEvent,
  listEventsWithoutContact,
  listKeysWithoutBooking,
  listKeysWithoutContact,
} from './invariant-store.ts'
import {
  listEntriesBeyond,
  listMisbookedEntries,
  listMiscountedNumbers,
  listMispostedDocuments,
  listMisreversedEntries,
  listMissummedDays,
  listMissummedMonths,
  listUnbalancedDays,
} from './journal/journal-invariant-store.ts'
import { verifyChains } from './journal/verify-journal.ts'
import {
  listMisallocatedItems,
  listMisplacedPayments,
  listMissettledDocuments,
  listMisstatedOpenItems,
  listStrayControlLines,
} from './payments/settlement-invariant-store.ts'
import { listMisrelievedTaxes } from './payments/tax-part-store.ts'
import {
  listEventsWithoutQuoteOrLead,
  listLeadsWithoutOneEvent,
  listQuotesWithoutOneAnswer,
} from './quotes/quote-invariant-store.ts'
import { listMismadePeriods } from './recurring/recurring-invariant-store.ts'
import { listRemindersWithoutOneMail } from './reminders/reminder-store.ts'
import { listMisbookedMovements } from './service-money/movement-invariant-store.ts'
import { listStatementsWithoutOneMail } from './statements/monthly/monthly-statement-store.ts'

export const booksInvariants: readonly Invariant[] = [
  {
    id: 'I5.1',
    title: 'every idempotency key of a contact names a contact',
    violations: (sql) => listKeysWithoutContact(sql, violationsMax),
  },
  {
    id: 'I5.6',
    title: 'every idempotency key of a posting names the posted object',
    violations: (sql) => listKeysWithoutBooking(sql, violationsMax),
  },
  {
    id: 'I7.3',
    title: 'every contact has exactly one event contact.created',
    violations: (sql) => listContactsWithoutOneEvent(sql, violationsMax),
  },
  {
    id: 'I8.1',
    title: 'every event contact.created has its contact',
    violations: (sql) => listEventsWithoutContact(sql, violationsMax),
  },
  {
    id: 'I14.1',
    title: 'every journal entry has all its lines, with one date, and they sum to zero',
    violations: (sql) => listMisbookedEntries(sql, violationsMax),
  },
  {
    id: 'I14.2',
    title: 'every reversal is the exact negative of its original',
    violations: (sql) => listMisreversedEntries(sql, violationsMax),
  },
  {
    id: 'I14.3',
    title: 'no journal entry was changed, removed or moved since it was posted',
    violations: verifyChains,
  },
  {
    id: 'I14.4',
    title: 'no journal entry is beyond the end of its journal',
    violations: (sql) => listEntriesBeyond(sql, violationsMax),
  },
  {
    id: 'I14.5',
    title: 'monthly sums equal the sums of the lines',
    violations: (sql) => listMissummedMonths(sql, violationsMax),
  },
  {
    id: 'I14.6',
    title: 'daily sums equal the sums of the lines',
    violations: (sql) => listMissummedDays(sql, violationsMax),
  },
  {
    id: 'I14.7',
    title: 'assets equal liabilities and equity at the end of every day',
    violations: (sql) => listUnbalancedDays(sql, violationsMax),
  },
  {
    id: 'I14.8',
    title: 'numbers of documents and quotes go from one to their counter without gaps',
    violations: (sql) => listMiscountedNumbers(sql, violationsMax),
  },
  {
    id: 'I14.9',
    title: 'a posted document has entries, and those of a void one add up to zero',
    violations: (sql) => listMispostedDocuments(sql, violationsMax),
  },
  {
    id: 'I7.31',
    title: 'every answer to a quote has exactly one event',
    violations: (sql) => listQuotesWithoutOneAnswer(sql, violationsMax),
  },
  {
    id: 'I7.32',
    title: 'every won lead has exactly one event lead.won, and no other has',
    violations: (sql) => listLeadsWithoutOneEvent(sql, violationsMax),
  },
  {
    id: 'I8.31',
    title: 'every event of a quote or lead has its quote or lead',
    violations: (sql) => listEventsWithoutQuoteOrLead(sql, violationsMax),
  },
  {
    id: 'I14.21',
    title: 'the open amount of a document or payment is the sum of its lines, in both currencies',
    violations: (sql) => listMisstatedOpenItems(sql, violationsMax),
  },
  {
    id: 'I14.22',
    title: 'the open amount of a posted document is neither paid, credited nor written off',
    violations: (sql) => listMissettledDocuments(sql, violationsMax),
  },
  {
    id: 'I14.23',
    title: 'the used amount of a document or payment is the sum of its allocations',
    violations: (sql) => listMisallocatedItems(sql, violationsMax),
  },
  {
    id: 'I14.24',
    title: 'every line of a control account, and no other, names its open item',
    violations: (sql) => listStrayControlLines(sql, violationsMax),
  },
  {
    id: 'I14.25',
    title:
      'write-offs take back no more of a tax than was posted, and all of it with a full write-off',
    violations: (sql) => listMisrelievedTaxes(sql, violationsMax),
  },
  {
    id: 'I14.26',
    title: 'a payment onto an account in a third currency is there with what came in or left',
    violations: (sql) => listMisplacedPayments(sql, violationsMax),
  },
  {
    id: 'I14.27',
    title: 'what settles a document or payment is of the same contact, or of one merged with it',
    violations: (sql) => listAllocationsAcrossContacts(sql, violationsMax),
  },
  {
    id: 'I14.28',
    title: 'no contact is merged into itself or into a merged contact',
    violations: (sql) => listMischainedContacts(sql, violationsMax),
  },
  {
    id: 'I14.30',
    title: 'every idempotency key of a document names a document',
    violations: (sql) => listKeysWithoutDocument(sql, violationsMax),
  },
  {
    id: 'I14.31',
    title: 'every document has one event for each step that it went through',
    violations: (sql) => listMisreportedDocuments(sql, violationsMax),
  },
  {
    id: 'I14.32',
    title: 'the totals of a document equal the sums of its lines',
    violations: (sql) => listMispricedDocuments(sql, violationsMax),
  },
  {
    id: 'I14.33',
    title: 'the status of a document follows from its decisions and amounts',
    violations: (sql) => listMisstatedDocuments(sql, violationsMax),
  },
  {
    id: 'I14.34',
    title: 'every issued sale has its file, or a job that draws it',
    violations: (sql) => listUndrawnDocuments(sql, violationsMax),
  },
  {
    id: 'I14.35',
    title: 'the file of a document is unchanged since it was drawn',
    violations: (sql) => listChangedFiles(sql, violationsMax),
  },
  {
    id: 'I14.36',
    title: 'a credit that names a document is about one that it can credit',
    violations: (sql) => listMiscreditedDocuments(sql, violationsMax),
  },
  {
    id: 'I14.37',
    title: 'a document books the tax of each code that its lines have',
    violations: (sql) => listMistaxedDocuments(sql, violationsMax),
  },
  {
    id: 'I14.41',
    title: 'a movement of the merchant service changed the clearing account by its amount',
    violations: (sql) => listMisbookedMovements(sql, violationsMax),
  },
  {
    id: 'I14.51',
    title: 'every period of a schedule that has passed made exactly one document, or was skipped',
    violations: (sql) => listMismadePeriods(sql, violationsMax),
  },
  {
    id: 'I14.45',
    title: 'every reminder has one mail, to its recipient alone',
    violations: (sql, now) => listRemindersWithoutOneMail(sql, now, violationsMax),
  },
  {
    id: 'I14.46',
    title: 'every monthly statement has one mail, to its recipient alone',
    violations: (sql, now) => listStatementsWithoutOneMail(sql, now, violationsMax),
  },
]
