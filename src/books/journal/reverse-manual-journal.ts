// Takes back what a person has written, on a day of their choice: an accrual in the month after, a
// mistake on the day it is found.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import { validated } from '../../kernel/http/errors.ts'
import { day, uuid } from '../../kernel/http/schemas.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../permissions.ts'
import { findEntry, listStandingEntries, lockHead } from './journal-store.ts'
import { reverseEntry } from './post-entry.ts'
import type { ManualJournal } from './post-manual-journal.ts'

export const reversalInput = z.strictObject({ journalId: uuid(), date: day() })

const manualKinds = ['journal.posted', 'opening.posted']

export async function reverseManualJournal(
  context: BooksContext,
  actor: Actor,
  input: z.input<typeof reversalInput>,
): Promise<ManualJournal> {
  requireRole(actor, 'approve')
  const { journalId, date } = validated(reversalInput, input)
  return context.database.transaction(async (tx) => {
    // Two who reverse at once come one after the other.
    await lockHead(tx, actor)
    const [standing] = await listStandingEntries(tx, actor, journalId)
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
  })
}
