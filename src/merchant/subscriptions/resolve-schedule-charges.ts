// Looks up the charges of recurring schedules whose outcome is unknown. Also during a pause: they
// were sent before it.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { isOpen } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { pollEach } from '../poll-each.ts'
import { type CardCharge, lookUpCharge } from './charge-card.ts'
import { findPlan } from './plan-store.ts'
import { lookAfterSeconds } from './reserve-renewal.ts'
import { scheduleCardCharge } from './reserve-schedule-charge.ts'
import {
  type DueCharge,
  findScheduleCharge,
  listDueScheduleCharges,
  updateScheduleCharge,
} from './schedule-charge-store.ts'
import { lockSubscription } from './subscription-store.ts'

const batchSize = 100

export const resolveScheduleCharges = defineSchedule({
  name: 'resolve-schedule-charges',
  everySeconds: 30,
  async run(context: MerchantContext, signal) {
    const { database, clock, log } = context
    const now = clock.now()
    let after: DueCharge | undefined
    do {
      const due = await listDueScheduleCharges(database.sql, { now, after }, batchSize)
      await pollEach(
        due,
        signal,
        ({ paymentId, nextAt: _, ...tenant }) => lookUp(context, tenant, paymentId),
        ({ paymentId }, err) => log.error({ paymentId, err }, 'a charge could not be looked up'),
      )
      after = due.length < batchSize ? undefined : due.at(-1)
    } while (after && !signal.aborted)
  },
})

async function lookUp(context: MerchantContext, tenant: Tenant, paymentId: string): Promise<void> {
  const provider = await context.providerFor(tenant)
  const charge = await claimLook(context, tenant, paymentId)
  if (charge) await lookUpCharge({ context, tenant, provider, charge })
}

// Undefined if it has ended, or another process looks it up. The payment is locked before the
// subscription, as everywhere.
async function claimLook(
  context: MerchantContext,
  tenant: Tenant,
  paymentId: string,
): Promise<CardCharge | undefined> {
  const now = context.clock.now()
  return context.database.transaction(async (tx) => {
    const payment = await lockPayment(tx, tenant, paymentId)
    const charge = await findScheduleCharge(tx, tenant, paymentId)
    if (!payment || !isOpen(payment) || !charge?.nextAt || charge.nextAt > now) return undefined
    const found = await lockSubscription(tx, tenant, charge.subscriptionId)
    const subscription = assertDefined(found, 'a charge of no subscription')
    const plan = await findPlan(tx, tenant, subscription.planId)
    await updateScheduleCharge(tx, tenant, paymentId, { nextAt: addSeconds(now, lookAfterSeconds) })
    const charged = { subscription, plan: assertDefined(plan, 'no plan'), payment }
    return scheduleCardCharge(tenant, charged, charge)
  })
}
