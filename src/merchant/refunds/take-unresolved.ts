// A refund whose end nobody knows for days is more than the resolver can mend: a person has to ask
// the provider. It goes on looking all the same, and the end of the refund resolves the break.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { insertBreak, updateBreakResolved } from '../breaks/break-store.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { Refund } from './refund.ts'
import { lockRefund } from './refund-store.ts'

const cause = 'refund_unresolved'
const unresolvedSeconds = 3 * 24 * 60 * 60

export async function recordUnresolved(
  context: Context,
  actor: SystemActor,
  seen: Pick<Refund, 'id' | 'paymentId' | 'status' | 'createdAt'>,
): Promise<void> {
  const now = context.clock.now()
  const isOld = addSeconds(seen.createdAt, unresolvedSeconds) <= now
  if (seen.status !== 'pending' || !isOld) return
  await context.database.transaction(async (tx) => {
    await lockPayment(tx, actor, seen.paymentId)
    const refund = await lockRefund(tx, actor, seen.id)
    if (refund?.status !== 'pending') return
    const { id: objectId, paymentId, currency, amountMinor, sends, failureReason } = refund
    await insertBreak(tx, actor, {
      id: context.ids.uuid(),
      cause,
      objectKind: 'refund',
      objectId,
      detail: {
        paymentId,
        currency,
        amountMinor: amountMinor.toString(),
        pendingSince: refund.createdAt.toISOString(),
        sends: sends.toString(),
        failureReason,
      },
      createdAt: now,
    })
  })
}

// Does nothing for a refund that nobody had to wonder about.
export async function resolveUnresolved(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  { id: objectId, status }: Pick<Refund, 'id' | 'status'>,
): Promise<void> {
  await updateBreakResolved(
    tx,
    tenant,
    { cause, objectKind: 'refund', objectId },
    { resolution: `the refund is ${status}`, resolvedAt: context.clock.now() },
  )
}
