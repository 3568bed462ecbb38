// Takes back what a person has written, on a day of their choice: an accrual in the month after, a
// mistake on the day it is found.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { day, uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import { bookOnce } from '../book-once.ts'
import type { BooksContext } from '../context.ts'
import { once } from '../input/once-input.ts'
import { requireRole } from '../operations/permissions.ts'
import { findEntry, listUnreversedEntries, lockHead } from './journal-store.ts'
import { reverseEntry } from './post-entry.ts'
import { findJournal, type ManualJournal } from './post-manual-journal.ts'

export const reversalInput = z.strictObject({ journalId: uuid(), date: day(), ...once })

const manualKinds = ['journal.posted', 'opening.posted']

export async function reverseManualJournal(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof reversalInput>,
): Promise<ManualJournal> {
  requireRole(actor, 'approve')
  const wanted = validated(reversalInput, input)
  return bookOnce(context, actor, {
    operation: 'reverse-manual-journal',
    input: wanted,
    id: wanted.journalId,
    book: (tx) => reverse(tx, context, actor, wanted),
    find: (tx, id) => findJournal(tx, actor, id, 'journal.reversed'),
  })
}

async function reverse(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { journalId, date }: z.output<typeof reversalInput>,
): Promise<ManualJournal> {
  // Two who reverse at once come one after the other.
  await lockHead(tx, actor)
  const [standing] = await listUnreversedEntries(tx, actor, journalId)
  if (!standing || !manualKinds.includes(standing.kind))
    throw notFound('journal, or it is reversed already')
  if (standing.kind === 'opening.posted') requireRole(actor, 'administer')
  const original = await findEntry(tx, actor, standing.sequence)
  if (date < original.date) {
    throw invalidField('date', `It is dated ${original.date}. Choose that day or a later one.`)
  }
  const sequence = await reverseEntry(tx, context, actor, {
    sequence: standing.sequence,
    kind: 'journal.reversed',
    date,
    description: `Reversal of the journal of ${original.date}`,
  })
  await recordAct(tx, context, actor, {
    action: 'journal.reverse',
    objectKind: 'journal',
    objectId: journalId,
    detail: { date },
  })
  return { id: journalId, sequence }
}
