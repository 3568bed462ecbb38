import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import type { JournalLine } from './journal-entry.ts'
import { findEntry } from './journal-store.ts'
import { findManualJournal, type ListedJournal } from './manual-journal-store.ts'

export type JournalWithLines = ListedJournal & { readonly lines: readonly JournalLine[] }

export const getManualJournal = defineOperation({
  name: 'get-manual-journal',
  summary: 'Show a manual journal and its lines',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<JournalWithLines> {
    const journal = await findManualJournal(sql, actor, id)
    if (!journal) throw notFound('journal')
    const { lines } = await findEntry(sql, actor, journal.sequence)
    return { ...journal, lines }
  },
})
