import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { AccountSubtype } from '../accounts/account.ts'

export type ForeignBalance = {
  readonly accountId: string
  readonly accountName: string
  readonly accountSubtype: AccountSubtype
  readonly currency: string
  readonly amountMinor: bigint
  // The book value.
  readonly baseMinor: bigint
}

// Open items and bank balances in foreign currencies at the end of a day.
export async function listForeignBalances(
  tx: Tx,
  tenant: Tenant,
  baseCurrency: string,
  date: string,
): Promise<ForeignBalance[]> {
  return tx<ForeignBalance[]>`
    select
      line.account_id, account.name as account_name, account.subtype as account_subtype,
      line.currency,
      sum(line.amount_minor)::bigint as amount_minor,
      sum(line.base_minor)::bigint as base_minor
    from books.accounts as account
    join books.journal_lines as line
      on line.business_id = account.business_id
      and line.environment = account.environment
      and line.account_id = account.id
    where account.business_id = ${tenant.businessId}
      and account.environment = ${tenant.environment}
      and account.subtype in
        ('receivable', 'payable', 'expense_claims', 'bank', 'credit_card', 'clearing')
      and line.currency <> ${baseCurrency}
      and line.date <= ${date}
    group by line.account_id, account.name, account.subtype, account.code, line.currency
    having sum(line.amount_minor) <> 0 or sum(line.base_minor) <> 0
    order by account.code collate "C", line.currency`
}

// The balance of an account at the end of a day, in the base currency.
export async function findBaseBalance(
  tx: Tx,
  tenant: Tenant,
  accountId: string,
  date: string,
): Promise<bigint> {
  const [row] = await tx<{ baseMinor: bigint }[]>`
    select coalesce(sum(base_minor), 0)::bigint as base_minor
    from books.account_days
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and account_id = ${accountId}
      and date <= ${date}`
  return row?.baseMinor ?? 0n
}
