import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'
import type { Refund } from '../refunds/refund.ts'
import type { BusinessBalance } from './balance.ts'

export type ReservingRefund = Pick<Refund, 'id' | 'paymentId' | 'amountMinor' | 'createdAt'>

// One statement, and so one snapshot: between two statements a payout or refund could be posted,
// and would be counted twice or not at all. To decide by it, lock the balance first, in a separate
// statement. The ledger stores debts as credits, which are negative.
export async function listBusinessBalances(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<readonly BusinessBalance[]> {
  const { merchantPending, merchantAvailable, merchantWallet } = ledgerAccounts
  return await sql<BusinessBalance[]>`
    select
      currency,
      coalesce(-sum(amount_minor) filter (where account = ${merchantPending}), 0)::bigint
        as pending_minor,
      coalesce(-sum(amount_minor) filter (
        where account in (${merchantAvailable}, 'reserved')), 0)::bigint as available_minor,
      coalesce(sum(amount_minor) filter (where account = 'reserved'), 0)::bigint as reserved_minor,
      coalesce(-sum(amount_minor) filter (where account = ${merchantWallet}), 0)::bigint
        as wallet_minor
    from (
      select account, currency, balance_minor as amount_minor
      from kernel.ledger_checkpoints
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      union all
      select account, currency, amount_minor
      from kernel.ledger_tail
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      union all
      select 'reserved', currency, amount_minor
      from merchant.payouts
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and status in ('pending', 'processing')
      union all
      select 'reserved', currency, amount_minor
      from merchant.refunds
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and status = 'pending'
        and cause in ('requested', 'card_check')
    ) as part
    where account in (${merchantPending}, ${merchantAvailable}, ${merchantWallet}, 'reserved')
    group by currency
    order by currency`
}

// Requested or approved refunds that are not posted yet, newest first.
export async function listReservingRefunds(
  sql: Sql | Tx,
  tenant: Tenant,
  currency: string,
  limit: number,
): Promise<ReservingRefund[]> {
  return sql<ReservingRefund[]>`
    select id, payment_id, amount_minor, created_at
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency}
      and status = 'pending'
      and cause in ('requested', 'card_check')
    order by id desc
    limit ${limit}`
}
