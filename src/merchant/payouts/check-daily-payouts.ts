// Whether a payout takes the payouts of its day above the limit of the business, so that a large
// one can't be split into small ones. The caller holds the lock of the balance, so that concurrent
// payouts are counted one after the other.
import { startOfUtcDay } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findOwnThresholdMinor } from '../approvals/threshold-store.ts'
import type { Payout } from './payout.ts'
import { findPaidOutSinceMinor } from './payout-store.ts'

export type DailyCheck = {
  readonly isHeld: boolean
  // The current limit, or null if none is set.
  readonly limitMinor: bigint | null
}

// Counts all payouts of the day in UTC that were not cancelled and did not fail, including held
// ones.
export async function checkDailyPayouts(
  tx: Tx,
  tenant: Tenant,
  { currency, amountMinor, createdAt }: Payout,
): Promise<DailyCheck> {
  const { businessId } = tenant
  const limitMinor = await findOwnThresholdMinor(tx, businessId, 'daily_payouts', currency)
  if (limitMinor === undefined) return { isHeld: false, limitMinor: null }
  const beforeMinor = await findPaidOutSinceMinor(tx, tenant, currency, startOfUtcDay(createdAt))
  return { isHeld: beforeMinor + amountMinor > limitMinor, limitMinor }
}
