// The template of a journal is refused if its first journal could not be posted now.
import type { Actor } from '../../kernel/auth/actor.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { requireJournalLines } from '../journal/post-manual-journal.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { dayOf, type RecurringMode, type Rhythm } from './recurring-schedule.ts'
import { type JournalTemplate, journalOf, requireKnownPlaceholders } from './recurring-template.ts'

export async function requireJournalTemplate(
  tx: Tx,
  actor: Actor,
  timing: Rhythm & { readonly mode: RecurringMode; readonly nextNumber: number },
  template: JournalTemplate,
): Promise<void> {
  if (timing.mode === 'send') throw invalidField('mode', 'A journal is not sent.')
  requireKnownPlaceholders({ description: template.description })
  for (const [index, { description }] of template.lines.entries()) {
    requireKnownPlaceholders({ lines: description ?? null }, `${index}.description: `)
  }
  const { locale } = await findOrganisation(tx, actor)
  const number = timing.nextNumber
  const day = dayOf(timing, number)
  const words = { day, nextDay: dayOf(timing, number + 1), number, locale }
  await requireJournalLines(tx, actor, { date: day, lines: journalOf(template, words).lines })
}
