import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { StoredSettlementAccount } from './settlement-account.ts'

export async function findSettlementAccount(
  sql: Sql | Tx,
  businessId: string,
): Promise<StoredSettlementAccount | undefined> {
  const [row] = await sql<StoredSettlementAccount[]>`
    select bank_code, account_number_sealed, beneficiary_name
    from merchant.settlement_accounts
    where business_id = ${businessId}`
  return row
}

export async function insertOrUpdateSettlementAccount(
  tx: Tx,
  businessId: string,
  account: StoredSettlementAccount,
  now: Date,
): Promise<void> {
  await tx`
    insert into merchant.settlement_accounts
      ${tx({ businessId, ...account, createdAt: now, updatedAt: now })}
    on conflict (business_id) do update
    set bank_code = excluded.bank_code,
      account_number_sealed = excluded.account_number_sealed,
      beneficiary_name = excluded.beneficiary_name,
      updated_at = excluded.updated_at`
}
