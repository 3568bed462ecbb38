// A payout without a result after three days becomes a discrepancy: the provider waits for someone
// in its dashboard, does not know the transfer, or does not answer. Its amount stays reserved, so a
// person must ask. The resolver continues, and the payout's result resolves the discrepancy.
import type { Actor, SystemActor } from '../../kernel/auth/actor.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findApproval } from '../approvals/approval-store.ts'
import { updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
import type { Payout } from './payout.ts'
import { lockPayout } from './payout-store.ts'

const cause = 'payout_unresolved'
// Banks take a day or two, and longer over a weekend.
const unresolvedSeconds = 3 * 24 * 60 * 60

export async function recordUnresolvedPayout(
  context: Context,
  actor: SystemActor,
  seen: Payout,
): Promise<void> {
  const now = context.clock.now()
  const isOver = (since: Date) => addSeconds(since, unresolvedSeconds) <= now
  if (seen.status !== 'processing' || !isOver(seen.createdAt)) return
  await context.database.transaction(async (tx) => {
    const payout = await lockPayout(tx, actor, seen.id)
    if (payout?.status !== 'processing') return
    const since = await submittedAt(tx, actor, payout)
    if (!isOver(since)) return
    const { id: objectId, amountMinor, currency, sends, providerTransferId } = payout
    await recordDiscrepancy(tx, context, actor, {
      id: context.ids.uuid(),
      cause,
      objectKind: 'payout',
      objectId,
      detail: {
        amountMinor: amountMinor.toString(),
        currency,
        since: since.toISOString(),
        sends: sends.toString(),
        transferId: providerTransferId,
      },
      createdAt: now,
    })
  })
}

// A held payout may have waited for its approval for weeks.
async function submittedAt(tx: Tx, actor: Actor, payout: Payout): Promise<Date> {
  const { approvalId, createdAt } = payout
  const approval = approvalId ? await findApproval(tx, actor, approvalId) : undefined
  return approval?.executedAt ?? createdAt
}

// Does nothing for a payout without such a discrepancy.
export async function resolveUnresolvedPayout(
  tx: Tx,
  context: Pick<Context, 'clock'>,
  actor: Actor,
  { id: objectId, status }: Pick<Payout, 'id' | 'status'>,
): Promise<void> {
  const resolved = { resolution: `the payout is ${status}`, resolvedAt: context.clock.now() }
  await updateDiscrepancyResolved(tx, actor, { cause, objectKind: 'payout', objectId }, resolved)
}
