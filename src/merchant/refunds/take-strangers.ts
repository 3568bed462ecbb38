// What the provider's list of refunds holds and nobody here knows. A person has to see to it: the
// books lack it, or a refund of ours was paid twice.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { findBreak, insertBreak, type NewBreak, updateBreakSeen } from '../breaks/break-store.ts'
import type { RefundFact } from '../provider/provider.ts'
import type { Refund } from './refund.ts'

// refund_unclear: it may be the refund itself, which is therefore not sent.
// refund_repeated: it came after the send, beside the entry that is the refund.
// refund_missing_here: it was there before, or is of a payment of which we refunded nothing.
// refund_differs: it is the refund, as a person says, and has another amount.
type StrangerCause = 'refund_unclear' | 'refund_repeated' | 'refund_missing_here' | 'refund_differs'

export async function recordStrangers(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  { id: objectId, paymentId, currency, amountMinor, sends }: Refund,
  cause: StrangerCause,
  strangers: readonly RefundFact[],
): Promise<void> {
  if (strangers.length === 0) return
  await recordEntries(tx, context, tenant, {
    cause,
    objectKind: 'refund',
    objectId,
    detail: {
      paymentId,
      currency,
      amountMinor: amountMinor.toString(),
      sends: sends.toString(),
      entries: entriesText(strangers),
    },
  })
}

// Of a payment that we have refunded nothing of, or not so.
export async function recordDashboardRefunds(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  payment: { readonly id: string; readonly currency: string },
  strangers: readonly RefundFact[],
): Promise<void> {
  await recordEntries(tx, context, tenant, {
    cause: 'refund_missing_here',
    objectKind: 'payment',
    objectId: payment.id,
    detail: { currency: payment.currency, entries: entriesText(strangers) },
  })
}

// The provider's ids of those that a person was told of so.
export async function listDashboardRefunds(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<string[]> {
  const key = { cause: 'refund_missing_here', objectKind: 'payment', objectId: paymentId }
  const found = await findBreak(tx, tenant, key)
  return found ? entriesIn(found.detail) : []
}

type EntriesBreak = Pick<NewBreak, 'cause' | 'objectKind' | 'objectId' | 'detail'>

// What has come since the break was made, or was laid to rest, is news.
async function recordEntries(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  found: EntriesBreak,
): Promise<void> {
  const createdAt = context.clock.now()
  if (await insertBreak(tx, tenant, { id: context.ids.uuid(), ...found, createdAt })) return
  const known = assertDefined(await findBreak(tx, tenant, found), 'a break vanished')
  const told = entriesIn(known.detail)
  if (entriesIn(found.detail).every((entry) => told.includes(entry))) return
  await updateBreakSeen(tx, tenant, found)
}

function entriesText(strangers: readonly RefundFact[]): string {
  return strangers
    .map(({ refundId, amount, status }) => `${refundId}: ${toText(amount)} ${status}`)
    .join(', ')
}

// The provider's ids of what such a break is about.
export function entriesIn({ entries }: NewBreak['detail']): string[] {
  return (entries ?? '').split(', ').map((entry) => entry.split(': ')[0] ?? '')
}
