import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { notify } from '../../kernel/notices/notify.ts'
import type { NewDiscrepancy } from './discrepancy.ts'
import { insertDiscrepancy } from './discrepancy-store.ts'

// Records a difference with the provider and tells the people who want to know. False if the same
// fact is already recorded. A comparison can find hundreds at once, so there is one mail an hour.
export async function recordDiscrepancy(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  tenant: Tenant,
  found: NewDiscrepancy,
): Promise<boolean> {
  if (!(await insertDiscrepancy(tx, tenant, found))) return false
  const hour = found.createdAt.toISOString().slice(0, 'yyyy-mm-ddThh'.length)
  await notify(tx, context, tenant, {
    kind: 'discrepancies',
    fact: `discrepancies/${hour}`,
    subject: 'A difference with the payment provider',
    lines: [
      'Your records and those of the payment provider differ in at least one payment, refund or',
      'payout. See what differs and resolve it:',
    ],
    path: '/discrepancies',
  })
  return true
}
