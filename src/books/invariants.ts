// What must hold for the books at every moment, in the numbering of the project's invariants.
import { type Invariant, violationsMax } from '../kernel/db/invariant.ts'
import {
  listContactsWithoutOneEvent,
  listEventsWithoutContact,
  listKeysWithoutContact,
} from './invariant-store.ts'
import {
  listMisallocatedItems,
  listMissettledDocuments,
  listMisstatedOpenItems,
  listStrayControlLines,
} from './payments/settlement-invariant-store.ts'

export const booksInvariants: readonly Invariant[] = [
  {
    id: 'I5.1',
    title: 'every idempotency key of a contact names a contact',
    violations: (sql) => listKeysWithoutContact(sql, violationsMax),
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
    id: 'I14.21',
    title: 'what is open of a document or payment is the sum of its lines, in both currencies',
    violations: (sql) => listMisstatedOpenItems(sql, violationsMax),
  },
  {
    id: 'I14.22',
    title: 'a document in the books has open what is neither paid, credited nor written off',
    violations: (sql) => listMissettledDocuments(sql, violationsMax),
  },
  {
    id: 'I14.23',
    title: 'what is used of a document or payment is the sum of its allocations',
    violations: (sql) => listMisallocatedItems(sql, violationsMax),
  },
  {
    id: 'I14.24',
    title: 'every line of a control account, and no other, names what it is about',
    violations: (sql) => listStrayControlLines(sql, violationsMax),
  },
]
