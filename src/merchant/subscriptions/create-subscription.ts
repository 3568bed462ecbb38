// Nothing is charged yet: the payer pays the first period on the subscription's page and thereby
// allows later charges. The first period starts when that payment is collected.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { randomUuid } from '../../kernel/basics/id.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { emailAddress, line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { insertSubscriberPage } from '../subscriber-pages/subscriber-page-store.ts'
import { insertPeriod } from './period-store.ts'
import { findPlan } from './plan-store.ts'
import { type Subscription, type SubscriptionWithoutCard, withoutCard } from './subscription.ts'
import { insertSubscription } from './subscription-store.ts'

export const createSubscription = defineOperation({
  name: 'create-subscription',
  summary: 'Subscribe a payer to a plan',
  kind: 'write',
  input: z.strictObject({
    planId: uuid(),
    payerEmail: emailAddress(),
    payerName: line(200).nullable(),
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { planId, ...payer }): Promise<SubscriptionWithoutCard> {
    const now = context.clock.now()
    const subscription: Subscription = {
      id: context.ids.uuid(),
      planId,
      status: 'incomplete',
      ...payer,
      payerLocale: null,
      cardSealed: null,
      cardEmail: null,
      cardProvider: null,
      cardBrand: null,
      cardLast4: null,
      cardPaymentId: null,
      anchorDay: null,
      period: 1,
      nextAt: null,
      scheduleId: null,
      cancelAtPeriodEnd: false,
      cancelledAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await context.database.transaction(async (tx) => {
      if (!(await findPlan(tx, actor, planId))) throw notFound('plan')
      await insertSubscription(tx, actor, subscription)
      await insertPeriod(tx, actor, subscription.id, { ...firstPeriod, createdAt: now })
      await insertSubscriberPage(tx, actor, {
        subscriptionId: subscription.id,
        publicId: randomUuid(context.ids),
        createdAt: now,
      })
      await recordAct(tx, context, actor, {
        action: 'subscription.create',
        objectKind: 'subscription',
        objectId: subscription.id,
        detail: { planId },
      })
    })
    return withoutCard(subscription)
  },
})

const firstPeriod = {
  number: 1,
  startsOn: null,
  endsBefore: null,
  paidAt: null,
  paymentId: null,
  sends: 0,
  sentAt: null,
  failures: 0,
} as const
