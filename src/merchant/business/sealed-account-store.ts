// Bank account numbers that are sealed under another version of the key than the one wanted: the
// first byte of what is sealed is its version.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'

export type SealedSettlementAccount = { readonly businessId: string; readonly sealed: Buffer }

export type SealedObjectAccount = Tenant & { readonly id: string; readonly sealed: Buffer }

export async function listOutdatedSettlementAccounts(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedSettlementAccount[]> {
  return sql<SealedSettlementAccount[]>`
    select business_id, account_number_sealed as sealed
    from merchant.settlement_accounts
    where get_byte(account_number_sealed, 0) <> ${version}
    order by business_id
    limit ${limit}`
}

// Only what still is as it was read: somebody may have put another number there.
export async function updateSettlementAccount(
  sql: Sql,
  { businessId, sealed }: SealedSettlementAccount,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update merchant.settlement_accounts
    set account_number_sealed = ${resealed}
    where business_id = ${businessId}
      and account_number_sealed = ${sealed}`
}

export async function listOutdatedRecipientAccounts(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedObjectAccount[]> {
  return sql<SealedObjectAccount[]>`
    select business_id, environment, id, account_number_sealed as sealed
    from merchant.split_recipients
    where get_byte(account_number_sealed, 0) <> ${version}
    order by business_id, environment, id
    limit ${limit}`
}

export async function updateRecipientAccount(
  sql: Sql,
  { businessId, environment, id, sealed }: SealedObjectAccount,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update merchant.split_recipients
    set account_number_sealed = ${resealed}
    where business_id = ${businessId}
      and environment = ${environment}
      and id = ${id}
      and account_number_sealed = ${sealed}`
}

export async function listOutdatedPayoutAccounts(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedObjectAccount[]> {
  return sql<SealedObjectAccount[]>`
    select business_id, environment, id, account_sealed as sealed
    from merchant.payouts
    where get_byte(account_sealed, 0) <> ${version}
    order by business_id, environment, id
    limit ${limit}`
}

export async function updatePayoutAccount(
  sql: Sql,
  { businessId, environment, id, sealed }: SealedObjectAccount,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update merchant.payouts
    set account_sealed = ${resealed}
    where business_id = ${businessId}
      and environment = ${environment}
      and id = ${id}
      and account_sealed = ${sealed}`
}
