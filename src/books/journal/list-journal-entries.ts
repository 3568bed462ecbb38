import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, searchText } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { entrySequence } from '../input/sequence-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type EntryHead, listEntryHeads } from './entry-view-store.ts'

const limitMax = 200

export type EntryPage = {
  readonly currency: string
  readonly entries: readonly EntryHead[]
  // Where to read on; null on the last page.
  readonly nextBefore: bigint | null
}

export const listJournalEntries = defineOperation({
  name: 'list-journal-entries',
  summary: 'List journal entries, newest first',
  kind: 'read',
  input: z.strictObject({
    // Days of the entries, both inclusive.
    from: day().optional(),
    to: day().optional(),
    search: searchText.optional(),
    before: entrySequence().optional(),
    limit: z.int().min(1).max(limitMax).default(50),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, wanted): Promise<EntryPage> {
    const { from, to, limit } = wanted
    if (from && to && from > to) throw invalidField('from', 'Must not be after the last day.')
    const [organisation, found] = await Promise.all([
      findOrganisation(sql, actor),
      listEntryHeads(sql, actor, { ...wanted, limit: limit + 1 }),
    ])
    const entries = found.slice(0, limit)
    const nextBefore = found.length > limit ? (entries.at(-1)?.sequence ?? null) : null
    return { currency: organisation.baseCurrency, entries, nextBefore }
  },
})
