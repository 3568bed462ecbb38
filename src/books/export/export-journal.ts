// Exports the whole journal as text. It contains every amount and name in the books, so it is for
// roles that need a second factor, and the audit log records who exported it.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { type ExportFormat, exportFormats } from './journal-text.ts'
import { listJournalText } from './list-journal-text.ts'

export const exportJournal = defineOperation({
  name: 'export-journal',
  summary: 'Export the whole journal as text',
  kind: 'write',
  input: z.strictObject({ format: z.enum(exportFormats) }),
  scopes: [],
  roles: approverRoles,
  async run(context, actor, { format }): Promise<AsyncIterable<string>> {
    // The audit row is written with the first piece: a caller that reads nothing has exported
    // nothing.
    context.call.nothingChanged()
    return handOut(context, actor, format)
  },
})

async function* handOut(
  context: BooksContext,
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
