// Reverses a manual journal on a chosen day: an accrual in the month after, a mistake on the day it
// is found.

import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles, approverRoles, requirePermission } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { findEntry, listUnreversedEntries, lockHead } from './journal-store.ts'
import { reverseEntry } from './post-entry.ts'
import { findJournal, type ManualJournal } from './post-manual-journal.ts'

const reversalInput = z.strictObject({ journalId: uuid(), date: bookDay(), ...oldDate })

const manualKinds = ['journal.posted', 'opening.posted']

export const reverseManualJournal = defineOperation({
  name: 'reverse-manual-journal',
  summary: 'Reverse a manual journal',
  kind: 'write',
  input: reversalInput,
  scopes: [],
  roles: approverRoles,
  idempotency: {
    name: 'reverse-manual-journal',
    isBodyBound: true,
    replay: async ({ database }, actor, id) =>
      assertDefined(
        await findJournal(database.sql, actor, id, 'journal.reversed'),
        'a posted journal vanished',
      ),
  },
  async run(context, actor, input): Promise<ManualJournal> {
    return context.database.transaction(async (tx) => {
      await context.call.claimKey(tx, input.journalId)
      return reverseJournal(tx, context, actor, input)
    })
  },
})

// Without a day, on the day of the journal, as if it had never been there. Also for imports.
export async function reverseJournal(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  wanted: Partial<z.output<typeof reversalInput>> & { journalId: string },
): Promise<ManualJournal> {
  const { journalId, confirmsOldDate } = wanted
  // Serialises two concurrent reversals.
  await lockHead(tx, actor)
  const [standing] = await listUnreversedEntries(tx, actor, journalId)
  if (!standing || !manualKinds.includes(standing.kind))
    throw notFound('journal, or it is already reversed')
  if (standing.kind === 'opening.posted')
    requirePermission({ scopes: [], roles: adminRoles }, actor)
  const original = await findEntry(tx, actor, standing.sequence)
  const date = wanted.date ?? original.date
  if (date < original.date) {
    throw invalidField('date', `It is dated ${original.date}. Choose that day or a later one.`)
  }
  const sequence = await reverseEntry(tx, { ...context, confirmsOldDate }, actor, {
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
