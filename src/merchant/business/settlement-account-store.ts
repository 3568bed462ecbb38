import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { RequestedAccount, StoredSettlementAccount } from './settlement-account.ts'

// In the column, null would be equal to nothing.
const otherCurrencies = '*'

// The account of this currency, or else the one of all other currencies.
export async function findSettlementAccount(
  sql: Sql | Tx,
  tenant: Tenant,
  currency: string,
): Promise<StoredSettlementAccount | undefined> {
  const [row] = await sql<StoredSettlementAccount[]>`
    select ${columns(sql)}
    from merchant.settlement_accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency in (${currency}, ${otherCurrencies})
    order by currency = ${otherCurrencies}
    limit 1`
  return row
}

// The account that a change of exactly this currency would replace.
export async function findReplacedAccount(
  tx: Tx,
  tenant: Tenant,
  currency: string | null,
): Promise<StoredSettlementAccount | undefined> {
  const [row] = await tx<StoredSettlementAccount[]>`
    select ${columns(tx)}
    from merchant.settlement_accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency ?? otherCurrencies}`
  return row
}

export async function listSettlementAccounts(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<StoredSettlementAccount[]> {
  return sql<StoredSettlementAccount[]>`
    select ${columns(sql)}
    from merchant.settlement_accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by currency <> ${otherCurrencies}, currency`
}

export async function insertOrUpdateSettlementAccount(
  tx: Tx,
  tenant: Tenant,
  { currency, ...account }: StoredSettlementAccount,
  now: Date,
): Promise<void> {
  const { businessId, environment } = tenant
  const row = { ...account, currency: currency ?? otherCurrencies, createdAt: now, updatedAt: now }
  await tx`
    insert into merchant.settlement_accounts
      ${tx({ businessId, environment, ...row })}
    on conflict on constraint settlement_accounts_currency_key do update
    set id = excluded.id,
      bank_code = excluded.bank_code,
      account_number_sealed = excluded.account_number_sealed,
      beneficiary_name = excluded.beneficiary_name,
      holder_name = excluded.holder_name,
      updated_at = excluded.updated_at`
}

export async function deleteSettlementAccount(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await tx`
    delete from merchant.settlement_accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function insertAccountRequest(
  tx: Tx,
  tenant: Tenant,
  { currency, ...account }: RequestedAccount,
  now: Date,
): Promise<void> {
  const { businessId, environment } = tenant
  const row = { ...account, currency: currency ?? otherCurrencies, createdAt: now }
  await tx`
    insert into merchant.settlement_account_requests ${tx({ businessId, environment, ...row })}`
}

export async function findAccountRequest(
  tx: Tx,
  tenant: Tenant,
  approvalId: string,
): Promise<RequestedAccount | undefined> {
  const [row] = await tx<RequestedAccount[]>`
    select id, nullif(currency, ${otherCurrencies}) as currency, bank_code, account_sealed,
      beneficiary_name, holder_name
    from merchant.settlement_account_requests
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${approvalId}`
  return row
}

function columns(sql: Sql | Tx) {
  return sql`
    id, nullif(currency, ${otherCurrencies}) as currency, bank_code, account_number_sealed,
    beneficiary_name, holder_name`
}
