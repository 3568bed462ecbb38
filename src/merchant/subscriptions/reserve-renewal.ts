// The first step of a renewal, in one transaction: the period and its payment exist before anything
// is sent. Of two workers that find the same subscription due, the second waits for the lock and
// then finds it no longer due.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findKycStatus } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { decideFee } from '../fees/decide-fee.ts'
import { findPause } from '../pauses/pause-store.ts'
import { isOpen, type Payment } from '../payments/payment.ts'
import { findPayment, insertPayment } from '../payments/payment-store.ts'
import { queueFirstPoll } from '../payments/poll-payment.ts'
import type { ProviderName } from '../provider/provider.ts'
import { newReceiptKey } from '../receipts/receipt.ts'
import { endSubscription } from './cancel-subscription.ts'
import { cardPayment } from './card-payment.ts'
import { findPeriod, insertPeriod, listOpenPaymentIds, updatePeriod } from './period-store.ts'
import type { Plan } from './plan.ts'
import { findPlan } from './plan-store.ts'
import { type Period, renewalPeriod, type Subscription } from './subscription.ts'
import { lockSubscription, updateSubscription } from './subscription-store.ts'

export type Renewal = {
  readonly subscription: Subscription
  readonly plan: Plan
  readonly period: Period
  readonly payment: Payment
}

export type Reserved =
  // No longer due, paused, cancelled, or the payer is paying.
  | { readonly kind: 'nothing' }
  // A new charge, to send for the first time.
  | { readonly kind: 'send'; readonly renewal: Renewal }
  // A sent charge with an unknown outcome.
  | { readonly kind: 'look'; readonly renewal: Renewal }

const minute = 60
// Longer than any call to the provider takes.
export const lookAfterSeconds = 2 * minute
const payerGoesFirstSeconds = 60 * minute

export async function reserveRenewal(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  id: string,
  provider: ProviderName,
): Promise<Reserved> {
  const now = context.clock.now()
  const subscription = await lockSubscription(tx, tenant, id)
  if (!subscription?.nextAt || subscription.nextAt > now) return { kind: 'nothing' }
  const found = await findPlan(tx, tenant, subscription.planId)
  const plan = assertDefined(found, 'a subscription without its plan')
  const newest = assertDefined(
    await findPeriod(tx, tenant, id, subscription.period),
    'a subscription without its period',
  )
  const payment = newest.paymentId ? await findPayment(tx, tenant, newest.paymentId) : undefined
  if (payment && isOpen(payment)) {
    await putOff(tx, tenant, id, now, lookAfterSeconds)
    return { kind: 'look', renewal: { subscription, plan, period: newest, payment } }
  }
  if (await mustWait(tx, context, tenant)) return { kind: 'nothing' }
  if (subscription.status === 'active' && subscription.cancelAtPeriodEnd) {
    await endSubscription(tx, context, systemActor(tenant), id, 'now')
    return { kind: 'nothing' }
  }
  const payersOwn = await listOpenPaymentIds(tx, tenant, id)
  if (payersOwn.length > 0) {
    await putOff(tx, tenant, id, now, payerGoesFirstSeconds)
    return { kind: 'nothing' }
  }
  const renewal = await reserve(tx, context, tenant, { subscription, plan, newest, provider })
  await putOff(tx, tenant, id, now, lookAfterSeconds, renewal.period.number)
  return { kind: 'send', renewal }
}

// The due time stays, so that the renewal runs as soon as it is allowed.
export async function mustWait(
  tx: Tx,
  { clock }: MerchantContext,
  tenant: Tenant,
): Promise<boolean> {
  if (await findPause(tx, 'payments', clock.now())) return true
  if (tenant.environment === 'test') return false
  return (await findKycStatus(tx, tenant.businessId)) !== 'verified'
}

async function reserve(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  {
    subscription,
    plan,
    newest,
    provider,
  }: { subscription: Subscription; plan: Plan; newest: Period; provider: ProviderName },
): Promise<Renewal> {
  const { id } = subscription
  const now = context.clock.now()
  const paymentId = context.ids.uuid()
  const sent = { paymentId, sends: 1, sentAt: now }
  const isRetry = newest.paidAt === null
  const period = isRetry
    ? { ...newest, ...sent }
    : { ...newPeriod(subscription, plan, now), ...sent, failures: 0, paidAt: null, createdAt: now }
  if (isRetry) await updatePeriod(tx, tenant, id, period.number, sent)
  else await insertPeriod(tx, tenant, id, period)
  const charged = {
    currency: plan.currency,
    amountMinor: plan.amountMinor,
    agreedFeeMinor: await decideFee(tx, tenant.businessId, plan),
    provider,
    receiptKey: newReceiptKey(context.ids),
    subscriptionId: id,
    subscriptionPeriod: period.number,
  }
  const payment = cardPayment(tenant, paymentId, subscription, charged, now)
  await insertPayment(tx, tenant, payment)
  await queueFirstPoll(tx, context, tenant, payment)
  await recordAct(tx, context, systemActor(tenant), {
    action: 'payment.create',
    objectKind: 'payment',
    objectId: paymentId,
    detail: {
      subscriptionId: id,
      period: period.number,
      // They were not charged, and never will be.
      passedOver: isRetry ? 0 : period.number - newest.number - 1,
      retry: period.failures,
    },
  })
  return { subscription, plan, period, payment }
}

function newPeriod({ anchorDay, period }: Subscription, plan: Plan, now: Date) {
  const anchor = assertDefined(anchorDay ?? undefined, 'a renewal of what has not begun')
  return renewalPeriod(plan, anchor, period, now)
}

async function putOff(
  tx: Tx,
  tenant: Tenant,
  id: string,
  now: Date,
  seconds: number,
  period?: number,
): Promise<void> {
  const nextAt = addSeconds(now, seconds)
  await updateSubscription(tx, tenant, id, {
    nextAt,
    ...(period !== undefined && { period }),
    updatedAt: now,
  })
}

function systemActor(tenant: Tenant) {
  return { ...tenant, kind: 'system', name: 'renew subscriptions' } as const
}
