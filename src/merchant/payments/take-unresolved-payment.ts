// A payment that is still open days after its session ended is more than the poller can mend: the
// provider neither takes nor refuses the charge, or cannot be asked. A person has to ask it. The
// poller goes on looking all the same, and the end of the payment resolves the break. Until then a
// single-use code stays taken: freed, it could be paid twice.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { insertBreak, updateBreakResolved } from '../breaks/break-store.ts'
import { isOpen, type Payment } from './payment.ts'
import { lockPayment } from './payment-store.ts'

const cause = 'payment_unresolved'
const unresolvedSeconds = 3 * 24 * 60 * 60

export async function recordUnresolvedPayment(
  context: Context,
  tenant: Tenant,
  seen: Payment,
): Promise<void> {
  if (!isOpen(seen) || !isOld(context, seen)) return
  await context.database.transaction(async (tx) => {
    const payment = await lockPayment(tx, tenant, seen.id)
    if (!payment || !isOpen(payment)) return
    const { id: objectId, currency, status, providerTransactionId } = payment
    const detail = {
      status,
      transaction_id: providerTransactionId,
      expected_minor: payment.amountMinor.toString(),
      expected_currency: currency,
      session_ended: payment.checkoutExpiresAt.toISOString(),
    }
    const isNew = await insertBreak(tx, tenant, {
      id: context.ids.uuid(),
      cause,
      objectKind: 'payment',
      objectId,
      detail,
      createdAt: context.clock.now(),
    })
    if (!isNew) return
    const actor = { ...tenant, kind: 'system', name: 'poller' } as const
    const act = { action: `break.${cause}`, objectKind: 'payment', objectId, detail }
    await recordAct(tx, context, actor, act)
  })
}

// Does nothing for a payment that nobody had to wonder about.
export async function resolveUnresolvedPayment(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  payment: Payment,
): Promise<void> {
  if (isOpen(payment) || !isOld(context, payment)) return
  await updateBreakResolved(
    tx,
    tenant,
    { cause, objectKind: 'payment', objectId: payment.id },
    { resolution: `the payment is ${payment.status}`, resolvedAt: context.clock.now() },
  )
}

function isOld({ clock }: Context, { checkoutExpiresAt }: Payment): boolean {
  return addSeconds(checkoutExpiresAt, unresolvedSeconds) <= clock.now()
}
