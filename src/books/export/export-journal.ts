// Hands out the whole journal as text. That is every amount and name in the books at once, so it is
// for those whose role asks for a second factor, and the audit log keeps who took it.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import { requireRole } from '../operations/permissions.ts'
import type { ExportFormat } from './journal-text.ts'
import { listJournalText } from './list-journal-text.ts'

export function exportJournal(
  context: Context,
  actor: Actor,
  format: ExportFormat,
): AsyncIterable<string> {
  requireRole(actor, 'approve')
  return handOut(context, actor, format)
}

// Nobody has taken it before the first piece is asked for.
async function* handOut(
  context: Context,
  actor: Actor,
  format: ExportFormat,
): AsyncGenerator<string> {
  await context.database.transaction((tx) =>
    recordAct(tx, context, actor, {
      action: 'journal.export',
      objectKind: 'journal',
      objectId: actor.businessId,
      detail: { format },
    }),
  )
  yield* listJournalText(context, actor, format)
}
