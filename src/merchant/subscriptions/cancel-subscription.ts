// Ends a subscription, now or at the end of the paid period. It refunds nothing; that needs a
// refund. A charge that was sent completes, and the payer keeps the period it pays for.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { requestSubscriberMail } from '../payer-mails/send-subscriber-mail.ts'
import { voidPayment } from '../payments/cancel-payment.ts'
import { findPayment } from '../payments/payment-store.ts'
import { findPeriod, listOpenPaymentIds } from './period-store.ts'
import { type Subscription, type SubscriptionWithoutCard, withoutCard } from './subscription.ts'
import { lockSubscription, updateSubscription } from './subscription-store.ts'

const cancelTimes = ['now', 'period_end'] as const
export type CancelWhen = (typeof cancelTimes)[number]

export const cancelSubscription = defineOperation({
  name: 'cancel-subscription',
  summary: 'Cancel a subscription, now or at the end of the paid period',
  kind: 'write',
  input: z.strictObject({ id: uuid(), when: oneOf(cancelTimes) }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, when }): Promise<SubscriptionWithoutCard> {
    const { subscription, isChanged } = await context.database.transaction((tx) =>
      endSubscription(tx, context, actor, id, when),
    )
    if (!isChanged) context.call.nothingChanged()
    return withoutCard(subscription)
  },
})

// Repeating it changes nothing. Without a paid period, the end of the period is now.
export async function endSubscription(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct' | 'sample'>,
  actor: Actor,
  id: string,
  when: CancelWhen,
): Promise<{ readonly subscription: Subscription; readonly isChanged: boolean }> {
  await voidCheckout(tx, context, actor, id)
  const subscription = await lockSubscription(tx, actor, id)
  if (!subscription) throw notFound('subscription')
  if (subscription.status === 'cancelled') return { subscription, isChanged: false }
  // A schedule has no paid period to wait for.
  const { scheduleId } = subscription
  const isLater = when === 'period_end' && subscription.status === 'active' && scheduleId === null
  if (isLater && subscription.cancelAtPeriodEnd) return { subscription, isChanged: false }
  if (!isLater && (await hasCheckout(tx, actor, id))) {
    throw new Fault('conflict', 'The payer has just started to pay. Try again.')
  }
  const now = context.clock.now()
  const changes = isLater
    ? { cancelAtPeriodEnd: true, updatedAt: now }
    : ({ status: 'cancelled', nextAt: null, cancelledAt: now, updatedAt: now } as const)
  await updateSubscription(tx, actor, id, changes)
  await recordAct(tx, context, actor, {
    action: isLater ? 'subscription.cancel_later' : 'subscription.cancel',
    objectKind: 'subscription',
    objectId: id,
  })
  if (subscription.status !== 'incomplete') {
    await tellEnd(tx, context, actor, subscription, isLater)
  }
  return { subscription: { ...subscription, ...changes }, isChanged: true }
}

async function tellEnd(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'sample'>,
  actor: Actor,
  { id, period }: Subscription,
  isLater: boolean,
): Promise<void> {
  const newest = isLater ? await findPeriod(tx, actor, id, period) : undefined
  const day = newest?.endsBefore ?? null
  const told = { kind: 'subscription_end', subscriptionId: id, paymentId: null, day } as const
  await requestSubscriberMail(tx, context, actor, told)
}

// A payer on the provider's page would pay for nothing; if they still pay, it is refunded, as after
// every cancel. Payments are locked before their subscription.
async function voidCheckout(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  actor: Actor,
  id: string,
): Promise<void> {
  for (const paymentId of await listOpenPaymentIds(tx, actor, id)) {
    await voidPayment(tx, context, actor, paymentId)
  }
}

async function hasCheckout(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  for (const paymentId of await listOpenPaymentIds(tx, actor, id)) {
    if ((await findPayment(tx, actor, paymentId))?.status === 'pending') return true
  }
  return false
}
