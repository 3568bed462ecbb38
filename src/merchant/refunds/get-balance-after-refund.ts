// The balance after a refund. The payer gets the money back even if it was already paid out, so the
// available balance can go below zero. Approvers are warned.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listBusinessBalances } from '../balances/balance-store.ts'
import type { Refund } from './refund.ts'

export type BalanceAfter = {
  readonly availableMinor: bigint
  // Collected but not settled yet, which will cover some of it.
  readonly pendingMinor: bigint
}

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
