// What a refund would leave. The payer's money goes back whether or not it was paid out already, so
// what is available may fall below zero. Whoever agrees to that should know it.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listBusinessBalances } from '../balances/balance-store.ts'
import type { Refund } from './refund.ts'
import { findRefundsOnTheirWayMinor } from './refund-store.ts'

export type BalanceAfter = {
  readonly availableMinor: bigint
  // Collected and not settled yet, which makes up for some of it.
  readonly pendingMinor: bigint
}

export async function getBalanceAfterRefund(
  sql: Sql | Tx,
  tenant: Tenant,
  { currency, amountMinor }: Pick<Refund, 'currency' | 'amountMinor'>,
): Promise<BalanceAfter> {
  const balances = await listBusinessBalances(sql, tenant)
  const now = balances.find((balance) => balance.currency === currency)
  // Those are agreed to and not booked yet.
  const promisedMinor = await findRefundsOnTheirWayMinor(sql, tenant, currency)
  return {
    availableMinor: (now?.availableMinor ?? 0n) - promisedMinor - amountMinor,
    pendingMinor: now?.pendingMinor ?? 0n,
  }
}
