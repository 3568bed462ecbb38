// A journal entry with its lines, what it is about, and what reversed it.
import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import type { Document } from '../documents/document.ts'
import { findDocument } from '../documents/document-store.ts'
import { entrySequence } from '../input/sequence-input.ts'
import { findScheduleOfObject, type ScheduleOfObject } from '../recurring/recurring-period-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  type EntryHead,
  type EntryViewLine,
  findEntryHead,
  findReversal,
  listEntryViewLines,
} from './entry-view-store.ts'

export type EntryView = EntryHead & {
  // The base currency.
  readonly currency: string
  readonly lines: readonly EntryViewLine[]
  readonly reversedBySequence: bigint | null
  // The document that it is about, if it is about one.
  readonly document: Pick<Document, 'id' | 'kind' | 'number'> | undefined
  // The schedule that made it, if one did.
  readonly schedule: ScheduleOfObject | undefined
}

export const getJournalEntry = defineOperation({
  name: 'get-journal-entry',
  summary: 'Show a journal entry with its lines',
  kind: 'read',
  input: z.strictObject({ sequence: entrySequence() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { sequence }): Promise<EntryView> {
    const head = await findEntryHead(sql, actor, sequence)
    if (!head) throw notFound('journal entry')
    const [organisation, lines, reversedBySequence, document, schedule] = await Promise.all([
      findOrganisation(sql, actor),
      listEntryViewLines(sql, actor, sequence),
      findReversal(sql, actor, sequence),
      findDocument(sql, actor, head.sourceId),
      findScheduleOfObject(sql, actor, head.sourceId),
    ])
    const currency = organisation.baseCurrency
    return { ...head, currency, lines, reversedBySequence, document, schedule }
  },
})
