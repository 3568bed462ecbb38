// A payment that is still open three days after its session ended becomes a discrepancy: the
// provider neither accepts nor refuses the charge, or does not answer, so a person must ask it. The
// poller continues, and the end of the payment resolves the discrepancy. Until then a single-use
// code stays reserved: if it were released, it could be paid twice.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { updateDiscrepancyResolved } from '../discrepancies/discrepancy-store.ts'
import { recordDiscrepancy } from '../discrepancies/record-discrepancy.ts'
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
    const isNew = await recordDiscrepancy(tx, context, tenant, {
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

// Does nothing for a payment without such a discrepancy.
export async function resolveUnresolvedPayment(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  payment: Payment,
): Promise<void> {
  if (isOpen(payment) || !isOld(context, payment)) return
  await updateDiscrepancyResolved(
    tx,
    tenant,
    { cause, objectKind: 'payment', objectId: payment.id },
    { resolution: `the payment is ${payment.status}`, resolvedAt: context.clock.now() },
  )
}

function isOld({ clock }: Context, { checkoutExpiresAt }: Payment): boolean {
  return addSeconds(checkoutExpiresAt, unresolvedSeconds) <= clock.now()
}
