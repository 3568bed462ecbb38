import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { ledgerAccounts } from '../ledger-accounts.ts'
import type { BusinessBalance } from './balance.ts'

// One statement, and so one snapshot: between two statements a payout could be posted, and would be
// counted twice or not at all. The ledger stores debts as credits, which are negative.
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
    ) as part
    where account in (${merchantPending}, ${merchantAvailable}, ${merchantWallet}, 'reserved')
    group by currency
    order by currency`
}
