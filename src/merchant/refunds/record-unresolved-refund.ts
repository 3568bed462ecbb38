// A refund without a result for too long becomes a discrepancy: a person must ask the provider. The
// resolver continues, and the refund's result resolves the discrepancy.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { Refund } from './refund.ts'
import { lockRefund } from './refund-store.ts'

const day = 24 * 60 * 60
// It is unknown whether the provider has it.
const unresolvedSeconds = 3 * day
// The provider has it and does not pay. Banks take up to fifteen working days.
const unpaidSeconds = 21 * day

type Doubt = { readonly cause: string; readonly since: Date }

function doubtAbout({ status, createdAt, updatedAt }: Refund, now: Date): Doubt | undefined {
  const isOver = (since: Date, seconds: number) => addSeconds(since, seconds) <= now
  if (status === 'pending' && isOver(createdAt, unresolvedSeconds)) {
    return { cause: 'refund_unresolved', since: createdAt }
  }
  // An accepted refund is not written to until it has ended.
  if (status === 'accepted' && isOver(updatedAt, unpaidSeconds)) {
    return { cause: 'refund_unpaid', since: updatedAt }
  }
  return undefined
}

export async function recordUnresolvedRefund(
  context: Context,
  actor: SystemActor,
  seen: Refund,
): Promise<void> {
  const now = context.clock.now()
  if (!doubtAbout(seen, now)) return
  await context.database.transaction(async (tx) => {
    await lockPayment(tx, actor, seen.paymentId)
    const refund = await lockRefund(tx, actor, seen.id)
    const doubt = refund && doubtAbout(refund, now)
    if (!doubt) return
    const { id: objectId, paymentId, currency, amountMinor, sends, failureReason } = refund
    await recordDiscrepancy(tx, context, actor, {
      id: context.ids.uuid(),
      cause: doubt.cause,
      objectKind: 'refund',
      objectId,
      detail: {
        paymentId,
        currency,
        amountMinor: amountMinor.toString(),
        status: refund.status,
        since: doubt.since.toISOString(),
        sends: sends.toString(),
        failureReason,
        providerRefundId: refund.providerRefundId,
      },
      createdAt: now,
    })
  })
}

const doubts = ['refund_unresolved', 'refund_unclear', 'refund_unpaid', 'refund_not_found']

// Does nothing for a refund without such a discrepancy.
export async function resolveUnresolvedRefund(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  { id: objectId, status }: Pick<Refund, 'id' | 'status'>,
): Promise<void> {
  const resolved = { resolution: `the refund is ${status}`, resolvedAt: context.clock.now() }
  for (const cause of doubts) {
    await updateDiscrepancyResolved(tx, tenant, { cause, objectKind: 'refund', objectId }, resolved)
  }
}
