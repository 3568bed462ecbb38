// The effect of a payment's end on its subscription, in the transaction that ends the payment. The
// caller has locked the payment; the subscription is locked here, after it.
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import { requestSubscriberMail } from '../payer-mails/send-subscriber-mail.ts'
import type { Payment } from '../payments/payment.ts'
import { localDay } from './billing-period.ts'
import { findPeriod, updatePeriod } from './period-store.ts'
import { findPlan } from './plan-store.ts'
import { type CollectedCard, cardOf } from './saved-card.ts'
import { nextRenewalAt, nextRetryAt, periodDays } from './subscription.ts'
import { lockSubscription, updateSubscription } from './subscription-store.ts'

// The period is paid. A subscription that was cancelled meanwhile stays cancelled: the payer has
// this period only.
export async function collectPeriod(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  payment: Payment,
  fact: CollectedCard,
): Promise<void> {
  const charged = await lockCharged(tx, tenant, payment)
  if (!charged) return
  const { subscription, number } = charged
  const { id } = subscription
  const found = await findPlan(tx, tenant, subscription.planId)
  const plan = assertDefined(found, 'a subscription without its plan')
  const now = context.clock.now()
  const anchorDay = subscription.anchorDay ?? localDay(now, plan.timeZone)
  const { startsOn, endsBefore } = periodDays(plan, anchorDay, number)
  const period = assertDefined(await findPeriod(tx, tenant, id, number), 'a charge of no period')
  // A charge of the saved card says nothing new about it. Its answer may come after the subscriber
  // has replaced the card.
  const isByPayer = period.paymentId !== payment.id
  await updatePeriod(tx, tenant, id, number, { startsOn, endsBefore, paidAt: now })
  const isOver = subscription.status === 'cancelled'
  await updateSubscription(tx, tenant, id, {
    anchorDay,
    ...(isByPayer && cardOf(context, subscription, payment, fact)),
    ...(isByPayer && payment.payerLocale !== null && { payerLocale: payment.payerLocale }),
    ...(!isOver && { status: 'active', nextAt: nextRenewalAt(plan, anchorDay, number, now) }),
    updatedAt: now,
  })
  await recordAct(tx, context, systemActor(tenant), {
    action: number === 1 ? 'subscription.begin' : 'subscription.renew',
    objectKind: 'subscription',
    objectId: id,
    detail: { paymentId: payment.id, period: number, startsOn, endsBefore },
  })
  if (number === 1) {
    const told = { kind: 'subscription_start', subscriptionId: id, day: endsBefore } as const
    await requestSubscriberMail(tx, context, tenant, told)
  }
}

// A charge of the saved card failed: it is retried, or the subscription ends. A failed payment on
// the page changes nothing.
export async function failPeriod(
  tx: Tx,
  context: MerchantContext,
  tenant: Tenant,
  payment: Payment,
): Promise<void> {
  const charged = await lockCharged(tx, tenant, payment)
  if (!charged) return
  const { subscription, number } = charged
  const { id } = subscription
  const period = assertDefined(await findPeriod(tx, tenant, id, number), 'a charge of no period')
  if (period.paymentId !== payment.id) return
  const failures = period.failures + 1
  await updatePeriod(tx, tenant, id, number, { failures })
  if (subscription.status === 'cancelled') return
  const now = context.clock.now()
  const nextAt = subscription.cancelAtPeriodEnd ? undefined : nextRetryAt(failures, now)
  const changes = nextAt
    ? ({ status: 'past_due', nextAt } as const)
    : ({ status: 'cancelled', nextAt: null, cancelledAt: now } as const)
  await updateSubscription(tx, tenant, id, { ...changes, updatedAt: now })
  await recordAct(tx, context, systemActor(tenant), {
    action: nextAt ? 'subscription.fall_due' : 'subscription.cancel',
    objectKind: 'subscription',
    objectId: id,
    detail: {
      paymentId: payment.id,
      period: number,
      failures,
      ...(nextAt ? { nextTryAt: nextAt.toISOString() } : { reason: 'the charge failed' }),
    },
  })
  const told = { subscriptionId: id, paymentId: payment.id }
  if (!nextAt) {
    const ended = { kind: 'subscription_end', ...told, day: null } as const
    return requestSubscriberMail(tx, context, tenant, ended)
  }
  const plan = assertDefined(await findPlan(tx, tenant, subscription.planId), 'no plan')
  const day = localDay(nextAt, plan.timeZone)
  await requestSubscriberMail(tx, context, tenant, { kind: 'failed_renewal', ...told, day })
}

async function lockCharged(tx: Tx, tenant: Tenant, payment: Payment) {
  const { subscriptionId, subscriptionPeriod: number } = payment
  if (subscriptionId === null || number === null) return undefined
  const found = await lockSubscription(tx, tenant, subscriptionId)
  const subscription = assertDefined(found, 'a charge of no subscription')
  return { subscription, number }
}

function systemActor(tenant: Tenant) {
  return { ...tenant, kind: 'system', name: 'payment provider' } as const
}
