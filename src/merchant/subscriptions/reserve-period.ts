// Which period a payer pays on the page of a subscription.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { listOpenPaymentIds } from './period-store.ts'
import { lockSubscription } from './subscription-store.ts'

// Undefined when nothing is to be paid now, or somebody is paying it: the payer on another page, or
// the worker with the saved card. The lock is held until the new payment is there.
export async function reservePeriod(
  tx: Tx,
  tenant: Tenant,
  subscriptionId: string,
): Promise<number | undefined> {
  const subscription = await lockSubscription(tx, tenant, subscriptionId)
  if (subscription?.status !== 'incomplete' && subscription?.status !== 'past_due') return undefined
  const open = await listOpenPaymentIds(tx, tenant, subscriptionId)
  return open.length === 0 ? subscription.period : undefined
}
