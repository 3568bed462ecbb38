// Whether a refund overdraws the available balance by more than the business lets one person do
// alone. Without such a threshold the payer's money goes back whatever the balance is.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findOwnThresholdMinor } from '../approvals/threshold-store.ts'
import { lockBalance } from '../payouts/reserve-payout.ts'
import { getBalanceAfterRefund } from './get-balance-after-refund.ts'
import type { Refund } from './refund.ts'

export type OverdraftCheck = {
  readonly isHeld: boolean
  // By how much the balance could still be overdrawn afterwards; null where nothing is set.
  readonly overdraftLeftMinor: bigint | null
}

const unchecked: OverdraftCheck = { isHeld: false, overdraftLeftMinor: null }

// The balance stays locked, so that two refunds at once are not both let through by the same money.
export async function checkOverdraft(
  tx: Tx,
  tenant: Tenant,
  refund: Pick<Refund, 'currency' | 'amountMinor'>,
): Promise<OverdraftCheck> {
  if (tenant.environment === 'test') return unchecked
  const { currency } = refund
  const allowedMinor = await findOwnThresholdMinor(tx, tenant.businessId, 'overdraft', currency)
  if (allowedMinor === undefined) return unchecked
  await lockBalance(tx, tenant, currency)
  const { availableMinor } = await getBalanceAfterRefund(tx, tenant, refund)
  const leftMinor = availableMinor + allowedMinor
  return { isHeld: leftMinor < 0n, overdraftLeftMinor: leftMinor }
}
