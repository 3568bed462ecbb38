// A payment without an invoice stays on the account for payments to assign until someone assigns
// it.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { JournalLine } from '../journal/journal-entry.ts'
import { findEntry, listUnreversedEntries } from '../journal/journal-store.ts'

export const collectedKind = 'service_money.collected'

// The line against clearing and fees, and its day.
export async function findUnassignedPayment(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<{ readonly line: JournalLine; readonly date: string } | undefined> {
  const standing = await listUnreversedEntries(tx, tenant, paymentId)
  const collected = standing.find(({ kind }) => kind === collectedKind)
  if (!collected) return undefined
  const { lines, date } = await findEntry(tx, tenant, collected.sequence)
  // `postHeld` writes it last.
  return { line: assertDefined(lines.at(-1), 'a payment that is on no account'), date }
}
