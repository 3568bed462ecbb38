// Whether a refund overdraws the available balance by more than one person can do alone. Without
// such a threshold, a refund does not depend on the balance.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findOwnThresholdMinor } from '../approvals/threshold-store.ts'
import { listBusinessBalances } from '../balances/balance-store.ts'
import { lockBalance } from '../payouts/reserve-payout.ts'
import type { Refund } from './refund.ts'

export type OverdraftCheck = {
  readonly isHeld: boolean
  // How much further the balance can be overdrawn afterwards; null if nothing is set.
  readonly overdraftLeftMinor: bigint | null
}

const unchecked: OverdraftCheck = { isHeld: false, overdraftLeftMinor: null }

// The balance stays locked, so that two concurrent refunds don't both count on the same money.
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

export type BalanceAfter = {
  readonly availableMinor: bigint
  // Collected but not settled yet, which will cover some of it.
  readonly pendingMinor: bigint
}

// The payer gets the money back even if it was already paid out, so the available balance can go
// below zero. Approvers are warned.
export async function getBalanceAfterRefund(
  sql: Sql | Tx,
  tenant: Tenant,
  { currency, amountMinor }: Pick<Refund, 'currency' | 'amountMinor'>,
): Promise<BalanceAfter> {
  const balances = await listBusinessBalances(sql, tenant)
  const now = balances.find((balance) => balance.currency === currency)
  return {
    availableMinor: (now?.availableMinor ?? 0n) - amountMinor,
    pendingMinor: now?.pendingMinor ?? 0n,
  }
}
