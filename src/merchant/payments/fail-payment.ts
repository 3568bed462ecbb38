// Ends an open payment without money. The caller has locked it.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { publish } from '../../kernel/webhooks/event.ts'
import type { MerchantContext } from '../context.ts'
import { failPeriod } from '../subscriptions/settle-period.ts'
import { failScheduleCharge } from '../subscriptions/settle-schedule-charge.ts'
import { failedEventData, mayBecome, type Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'
import { releaseCode } from './reserve-code.ts'
import { releaseItems } from './reserve-items.ts'

export type Failure = {
  // For people: `abandoned`, or the provider's reason.
  readonly reason: string
  readonly transactionId?: string
}

const reasonLengthMax = 200

export async function failPayment(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  payment: Payment,
  failure: Failure,
): Promise<Payment> {
  assert(mayBecome(payment.status, 'failed'), `a ${payment.status} payment failed`)
  const changes = {
    status: 'failed',
    failureReason: failure.reason.slice(0, reasonLengthMax),
    providerTransactionId: failure.transactionId ?? payment.providerTransactionId,
    updatedAt: context.clock.now(),
  } as const
  const failed: Payment = { ...payment, ...changes }
  await updatePayment(tx, tenant, payment.id, changes)
  await releaseCode(tx, tenant, payment)
  const items = await releaseItems(tx, tenant, payment)
  await failPeriod(tx, context, tenant, payment)
  await failScheduleCharge(tx, context, tenant, payment, changes.failureReason)
  await publish(tx, context, tenant, {
    service: 'merchant',
    type: 'payment.failed',
    objectId: payment.id,
    data: failedEventData(failed, items),
  })
  await recordAct(
    tx,
    context,
    { ...tenant, kind: 'system', name: 'payment provider' },
    {
      action: 'payment.fail',
      objectKind: 'payment',
      objectId: payment.id,
      detail: { reason: changes.failureReason },
    },
  )
  return failed
}
