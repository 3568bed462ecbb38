// The period that a payer pays on the page of a subscription.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { listOpenPaymentIds } from './period-store.ts'
import { lockSubscription } from './subscription-store.ts'

// Undefined if nothing is due now, or it is already being paid: by the payer on another page, or by
// the worker with the saved card. The lock is held until the new payment exists.
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
