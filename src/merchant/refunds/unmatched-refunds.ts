// Refunds in the provider's list that match none of ours. Each becomes a discrepancy for a person:
// either it is missing here, or a refund of ours was paid twice.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import type { NewDiscrepancy } from '../discrepancies/discrepancy.ts'
import { findDiscrepancy, updateDiscrepancySeen } from '../discrepancies/discrepancy-store.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
import type { RefundFact } from '../provider/provider.ts'
import type { Refund } from './refund.ts'

// refund_unclear: the entry may be the refund itself, so the refund is not sent. refund_repeated:
// it came after the send, beside the entry that is the refund. refund_missing_here: it existed
// before, or its payment has no refund of ours. refund_differs: a person said that it is the
// refund, and it has another amount.
type UnmatchedRefundCause =
  | 'refund_unclear'
  | 'refund_repeated'
  | 'refund_missing_here'
  | 'refund_differs'

export async function recordUnmatchedRefunds(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  { id: objectId, paymentId, currency, amountMinor, sends }: Refund,
  cause: UnmatchedRefundCause,
  unmatched: readonly RefundFact[],
): Promise<void> {
  if (unmatched.length === 0) return
  await recordEntries(tx, context, tenant, {
    cause,
    objectKind: 'refund',
    objectId,
    detail: {
      paymentId,
      currency,
      amountMinor: amountMinor.toString(),
      sends: sends.toString(),
      entries: entriesText(unmatched),
    },
  })
}

// For refunds made in the provider's dashboard, of a payment without a matching refund of ours.
export async function recordDashboardRefunds(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  payment: { readonly id: string; readonly currency: string },
  unmatched: readonly RefundFact[],
): Promise<void> {
  await recordEntries(tx, context, tenant, {
    cause: 'refund_missing_here',
    objectKind: 'payment',
    objectId: payment.id,
    detail: { currency: payment.currency, entries: entriesText(unmatched) },
  })
}

// The provider's ids of those already recorded as a discrepancy.
export async function listDashboardRefunds(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<string[]> {
  const key = { cause: 'refund_missing_here', objectKind: 'payment', objectId: paymentId }
  const found = await findDiscrepancy(tx, tenant, key)
  return found ? entriesIn(found.detail) : []
}

type EntriesDiscrepancy = Pick<NewDiscrepancy, 'cause' | 'objectKind' | 'objectId' | 'detail'>

// Entries that came after the discrepancy was recorded or resolved reopen it.
async function recordEntries(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  found: EntriesDiscrepancy,
): Promise<void> {
  const createdAt = context.clock.now()
  if (await recordDiscrepancy(tx, context, tenant, { id: context.ids.uuid(), ...found, createdAt }))
    return
  const known = assertDefined(await findDiscrepancy(tx, tenant, found), 'a discrepancy vanished')
  const told = entriesIn(known.detail)
  if (entriesIn(found.detail).every((entry) => told.includes(entry))) return
  await updateDiscrepancySeen(tx, tenant, found)
}

function entriesText(unmatched: readonly RefundFact[]): string {
  return unmatched
    .map(({ refundId, amount, status }) => `${refundId}: ${toText(amount)} ${status}`)
    .join(', ')
}

// The provider's ids of the entries of such a discrepancy.
export function entriesIn({ entries }: NewDiscrepancy['detail']): string[] {
  return (entries ?? '').split(', ').map((entry) => entry.split(': ')[0] ?? '')
}
