// The first step of charging a saved card for a recurring invoice, in one transaction: the charge
// of the period and its payment exist before anything is sent. The caller has bound the payment to
// the invoice and locked the subscription.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import { decideFee } from '../fees/decide-fee.ts'
import type { Payment } from '../payments/payment.ts'
import { insertPayment } from '../payments/payment-store.ts'
import { queueFirstPoll } from '../payments/poll-payment.ts'
import type { ProviderName } from '../provider/provider.ts'
import { newReceiptKey } from '../receipts/receipt.ts'
import { cardPayment } from './card-payment.ts'
import type { CardCharge } from './charge-card.ts'
import type { Plan } from './plan.ts'
import { lookAfterSeconds } from './reserve-renewal.ts'
import {
  findScheduleCharge,
  insertScheduleCharge,
  type ScheduleCharge,
  updateScheduleCharge,
} from './schedule-charge-store.ts'
import type { Subscription } from './subscription.ts'

export type ChargedInvoice = Pick<ScheduleCharge, 'scheduleId' | 'number' | 'day' | 'paymentId'> & {
  readonly invoiceId: string
  readonly currency: string
  readonly amountMinor: bigint
}

export async function reserveScheduleCharge(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  { subscription, plan }: { readonly subscription: Subscription; readonly plan: Plan },
  { scheduleId, number, day, paymentId, invoiceId, ...amount }: ChargedInvoice,
  provider: ProviderName,
): Promise<CardCharge> {
  const now = context.clock.now()
  const agreedFeeMinor = await decideFee(tx, tenant.businessId, amount)
  const receiptKey = newReceiptKey(context.ids)
  const charged = { ...amount, agreedFeeMinor, provider, invoiceId, receiptKey }
  const payment = cardPayment(tenant, paymentId, subscription, charged, now)
  const charge: ScheduleCharge = {
    ...{ scheduleId, number, day, paymentId, subscriptionId: subscription.id },
    sends: 1,
    sentAt: now,
    nextAt: addSeconds(now, lookAfterSeconds),
    createdAt: now,
  }
  await insertPayment(tx, tenant, payment)
  await insertScheduleCharge(tx, tenant, charge)
  await queueFirstPoll(tx, context, tenant, payment)
  await recordAct(
    tx,
    context,
    { ...tenant, kind: 'system', name: 'recurring schedule' },
    {
      action: 'payment.create',
      objectKind: 'payment',
      objectId: paymentId,
      detail: { scheduleId, number, subscriptionId: subscription.id },
    },
  )
  return scheduleCardCharge(tenant, { subscription, plan, payment }, charge)
}

export function scheduleCardCharge(
  tenant: Tenant,
  charged: {
    readonly subscription: Subscription
    readonly plan: Plan
    readonly payment: Payment
  },
  { sends, sentAt }: ScheduleCharge,
): CardCharge {
  const { subscription, plan, payment } = charged
  return {
    subscription,
    payment,
    note: plan.name,
    sends: { sends, sentAt },
    findSends: async (tx) => (await findScheduleCharge(tx, tenant, payment.id))?.sends,
    updateSends: (tx, changes) => updateScheduleCharge(tx, tenant, payment.id, changes),
  }
}
