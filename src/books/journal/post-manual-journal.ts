// A manual entry, for facts without a document or payment: accruals, depreciation, corrections. Its
// id is the source of its entry.

import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { amountWords } from '../input/amount-input.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type JournalLine, tidyLines } from './journal-entry.ts'
import { findSequenceOf } from './journal-store.ts'
import { manualLineInput, manualLinesMax } from './manual-lines.ts'
import { postEntry } from './post-entry.ts'
import { requireManualLines } from './require-manual-lines.ts'

export const journalInput = z.strictObject({
  date: bookDay(),
  description: line(500),
  lines: z.array(manualLineInput).min(2, 'At least 2 lines.').max(manualLinesMax),
  ...oldDate,
})

export type ManualJournal = { readonly id: string; readonly sequence: bigint }

export const postManualJournal = defineOperation({
  name: 'post-manual-journal',
  summary: 'Post a manual journal',
  kind: 'write',
  input: journalInput,
  scopes: [],
  roles: approverRoles,
  idempotency: {
    name: 'post-manual-journal',
    isBodyBound: true,
    replay: async ({ database }, actor, id) =>
      assertDefined(
        await findJournal(database.sql, actor, id, 'journal.posted'),
        'a posted journal vanished',
      ),
  },
  async run(context, actor, input): Promise<ManualJournal> {
    return context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      return postJournal(tx, context, actor, id, input)
    })
  },
})

// Also for imports. The input has passed `journalInput`.
export async function postJournal(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  { date, description, lines, confirmsOldDate }: z.output<typeof journalInput>,
): Promise<ManualJournal> {
  const booked = await requireJournalLines(tx, actor, { date, lines })
  const sequence = await postEntry(tx, { ...context, confirmsOldDate }, actor, {
    kind: 'journal.posted',
    sourceId: id,
    reversesSequence: null,
    date,
    description,
    lines: booked,
  })
  await recordAct(tx, context, actor, {
    action: 'journal.post',
    objectKind: 'journal',
    objectId: id,
    detail: { date, description },
  })
  return { id, sequence }
}

// Also for schedules and templates, whose journals are posted later.
export async function requireJournalLines(
  tx: Tx,
  tenant: Tenant,
  { date, lines }: Pick<z.output<typeof journalInput>, 'date' | 'lines'>,
): Promise<JournalLine[]> {
  const { baseCurrency } = await findOrganisation(tx, tenant)
  const remedy = 'Use a document or a payment.'
  const options = { field: 'lines', date, baseCurrency, remedy }
  const booked = tidyLines(await requireManualLines(tx, tenant, lines, options))
  requireBalance(booked, baseCurrency)
  return booked
}

// The posted journal, even if it was reversed meanwhile.
export async function findJournal(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
  kind: string,
): Promise<ManualJournal | undefined> {
  const sequence = await findSequenceOf(sql, tenant, id, kind)
  return sequence === undefined ? undefined : { id, sequence }
}

function requireBalance(lines: readonly JournalLine[], baseCurrency: string): void {
  const sum = lines.reduce((total, { baseMinor }) => total + baseMinor, 0n)
  if (sum !== 0n) {
    const [more, less] = sum > 0n ? ['debits', 'credits'] : ['credits', 'debits']
    const difference = amountWords(sum > 0n ? sum : -sum, baseCurrency)
    throw invalidField('lines', `The ${more} are ${difference} more than the ${less}.`)
  }
  if (lines.length < 2) throw invalidField('lines', 'The lines cancel each other out.')
}
