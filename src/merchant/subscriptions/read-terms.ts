import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findPeriod } from './period-store.ts'
import { findPlan } from './plan-store.ts'
import { findLastChargedDay } from './schedule-charge-store.ts'
import type { AgreedTerms } from './schedule-terms.ts'
import type { Subscription } from './subscription.ts'

export async function readTerms(
  sql: Sql | Tx,
  tenant: Tenant,
  subscription: Subscription,
): Promise<AgreedTerms> {
  const { id, planId, period } = subscription
  const plan = await findPlan(sql, tenant, planId)
  const newest = await findPeriod(sql, tenant, id, period)
  return {
    subscription,
    plan: assertDefined(plan, 'a subscription without its plan'),
    isCharging: newest?.paidAt === null,
    paidBefore: newest?.endsBefore ?? null,
    lastDay: await findLastChargedDay(sql, tenant, id),
  }
}
