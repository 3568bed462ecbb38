import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { insertPeriod } from './period-store.ts'
import { findPlan } from './plan-store.ts'
import type { Subscription } from './subscription.ts'
import { insertSubscription } from './subscription-store.ts'

export type NewSubscription = {
  readonly planId: string
  readonly payer: { readonly email: string; readonly name: string | null }
}

// Nothing is charged yet: the payer pays the first period on the subscription's page, and with it
// lets the card be charged again. The first period begins when that is collected.
export async function createSubscription(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  actor: Actor,
  { planId, payer }: NewSubscription,
): Promise<Subscription> {
  const plan = await findPlan(tx, actor, planId)
  if (!plan) throw notFound('plan')
  const now = context.clock.now()
  const subscription: Subscription = {
    id: context.ids.uuid(),
    planId,
    status: 'incomplete',
    payerEmail: payer.email,
    payerName: payer.name,
    cardSealed: null,
    cardEmail: null,
    anchorDay: null,
    period: 1,
    nextAt: null,
    cancelAtPeriodEnd: false,
    cancelledAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await insertSubscription(tx, actor, subscription)
  await insertPeriod(tx, actor, subscription.id, {
    number: 1,
    startsOn: null,
    endsBefore: null,
    paidAt: null,
    paymentId: null,
    sends: 0,
    sentAt: null,
    failures: 0,
    createdAt: now,
  })
  await recordAct(tx, context, actor, {
    action: 'subscription.create',
    objectKind: 'subscription',
    objectId: subscription.id,
    detail: { planId },
  })
  return subscription
}
