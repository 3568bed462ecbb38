// What must hold for the books at every moment, in the numbering of the project's invariants.
import { type Invariant, violationsMax } from '../kernel/db/invariant.ts'
import {
  listContactsWithoutOneEvent,
  listEventsWithoutContact,
  listKeysWithoutContact,
} from './invariant-store.ts'

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
]
