// Decides whether an operation needs an approval: it does above the approval threshold of its
// currency.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { HeldOperation } from './approval.ts'
import { findThresholdMinor } from './threshold-store.ts'

export type ThresholdCheck = {
  readonly isHeld: boolean
  // The current threshold, or null if none is set.
  readonly thresholdMinor: bigint | null
}

// Only an amount above the threshold is held; an equal amount is not. A currency without a
// threshold always needs an approval. The sandbox never does, since no money moves there.
export async function checkThreshold(
  tx: Tx,
  tenant: Tenant,
  operation: HeldOperation,
  currency: string,
  totalMinor: bigint,
): Promise<ThresholdCheck> {
  if (tenant.environment === 'test') return { isHeld: false, thresholdMinor: null }
  const thresholdMinor = await findThresholdMinor(tx, tenant.businessId, operation, currency)
  if (thresholdMinor === undefined) return { isHeld: true, thresholdMinor: null }
  return { isHeld: totalMinor > thresholdMinor, thresholdMinor }
}
