// The balances of the accounts when the books started, against opening balance equity. Amounts that
// were owed then are entered as documents, because control accounts consist of those.

import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { tidyLines } from './journal-entry.ts'
import { manualLineInput, manualLinesMax } from './manual-lines.ts'
import { postEntry } from './post-entry.ts'
import { findJournal, type ManualJournal } from './post-manual-journal.ts'
import { requireManualLines } from './require-manual-lines.ts'

const remedy =
  'Enter each open invoice and bill as a document on the opening balance equity account instead.'

export const openingBalancesInput = z.strictObject({
  date: bookDay(),
  balances: z
    .array(manualLineInput)
    .min(1, 'At least one balance.')
    .max(manualLinesMax - 1),
  ...oldDate,
})

export const postOpeningBalances = defineOperation({
  name: 'post-opening-balances',
  summary: 'Post the opening balances of accounts',
  kind: 'write',
  input: openingBalancesInput,
  scopes: [],
  roles: adminRoles,
  idempotency: {
    name: 'post-opening-balances',
    isBodyBound: true,
    replay: async ({ database }, actor, id) =>
      assertDefined(
        await findJournal(database.sql, actor, id, 'opening.posted'),
        'a posted journal vanished',
      ),
  },
  async run(context, actor, input): Promise<ManualJournal> {
    return context.database.transaction(async (tx) => {
      const id = context.ids.uuid()
      await context.call.claimKey(tx, id)
      return postOpening(tx, context, actor, id, input)
    })
  },
})

// Also for imports. The input has passed `openingBalancesInput`.
export async function postOpening(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
  { date, balances, confirmsOldDate }: z.output<typeof openingBalancesInput>,
): Promise<ManualJournal> {
  const { baseCurrency } = await findOrganisation(tx, actor)
  const equity = await findSystemAccount(tx, actor, 'opening_balance')
  const options = { field: 'balances', date, baseCurrency, remedy }
  const lines = await requireManualLines(tx, actor, balances, options)
  const baseMinor = lines.reduce((rest, line) => rest - line.baseMinor, 0n)
  const contra = {
    accountId: equity.id,
    baseMinor,
    currency: baseCurrency,
    amountMinor: baseMinor,
    contactId: null,
    openItemId: null,
    taxCodeId: null,
    description: null,
  }
  const booked = tidyLines([...lines, contra])
  if (booked.length < 2) throw invalidField('balances', 'The balances cancel each other out.')
  const sequence = await postEntry(tx, { ...context, confirmsOldDate }, actor, {
    kind: 'opening.posted',
    sourceId: id,
    reversesSequence: null,
    date,
    description: 'Opening balances',
    lines: booked,
  })
  await recordAct(tx, context, actor, {
    action: 'opening.post',
    objectKind: 'journal',
    objectId: id,
    detail: { date, accounts: balances.length },
  })
  return { id, sequence }
}
