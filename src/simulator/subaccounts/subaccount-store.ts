import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'
import type { Subaccount } from './subaccount.ts'

type SubaccountRow = Omit<Subaccount, 'splitValue'> & { splitValue: string }

export type NewSubaccount = Omit<Subaccount, 'id' | 'isChanged'>

// Undefined if the bank account already has a sub-account.
export async function insertSubaccount(
  tx: Tx,
  tenant: Tenant,
  subaccount: NewSubaccount,
): Promise<bigint | undefined> {
  const { businessId, environment } = tenant
  const values = { ...subaccount, splitValue: toText(subaccount.splitValue), isChanged: false }
  const [row] = await tx<{ id: bigint }[]>`
    insert into simulator.subaccounts ${tx({ businessId, environment, ...values })}
    on conflict (business_id, environment, account_bank, account_number) where deleted_at is null
    do nothing
    returning id`
  return row?.id
}

export async function findSubaccount(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
): Promise<Subaccount | undefined> {
  const [row] = await sql<SubaccountRow[]>`
    select ${columns(sql)}
    from simulator.subaccounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and deleted_at is null`
  return row && toSubaccount(row)
}

export async function listSubaccountsNamed(
  sql: Sql | Tx,
  tenant: Tenant,
  subaccountIds: readonly string[],
): Promise<Subaccount[]> {
  const rows = await sql<SubaccountRow[]>`
    select ${columns(sql)}
    from simulator.subaccounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subaccount_id = any(${subaccountIds})
      and deleted_at is null`
  return rows.map(toSubaccount)
}

export type SubaccountFilter = {
  readonly accountBank: string | undefined
  readonly accountNumber: string | undefined
}

export async function listSubaccounts(
  sql: Sql | Tx,
  tenant: Tenant,
  filter: SubaccountFilter,
  paging: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; subaccounts: Subaccount[] }> {
  const { accountBank = null, accountNumber = null } = filter
  const matches = sql`
    business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and deleted_at is null
      and (${accountBank}::text is null or account_bank = ${accountBank})
      and (${accountNumber}::text is null or account_number = ${accountNumber})`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::integer as total
    from simulator.subaccounts
    where ${matches}`
  const rows = await sql<SubaccountRow[]>`
    select ${columns(sql)}
    from simulator.subaccounts
    where ${matches}
    order by id desc
    limit ${paging.limit}
    offset ${paging.offset}`
  return { total: count?.total ?? 0, subaccounts: rows.map(toSubaccount) }
}

// False if another sub-account has the bank account.
export async function updateSubaccount(
  tx: Tx,
  tenant: Tenant,
  subaccount: Subaccount,
): Promise<boolean> {
  const rows = await tx`
    update simulator.subaccounts
    set account_bank = ${subaccount.accountBank},
      account_number = ${subaccount.accountNumber},
      full_name = ${subaccount.fullName},
      bank_name = ${subaccount.bankName},
      business_name = ${subaccount.businessName},
      business_email = ${subaccount.businessEmail},
      split_type = ${subaccount.splitType},
      split_value = ${toText(subaccount.splitValue)},
      is_changed = true
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${subaccount.id}
      and not exists (
        select 1
        from simulator.subaccounts as other
        where other.business_id = ${tenant.businessId}
          and other.environment = ${tenant.environment}
          and other.account_bank = ${subaccount.accountBank}
          and other.account_number = ${subaccount.accountNumber}
          and other.id <> ${subaccount.id}
          and other.deleted_at is null)`
  return rows.count === 1
}

export async function updateSubaccountDeleted(
  tx: Tx,
  tenant: Tenant,
  id: bigint,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update simulator.subaccounts
    set deleted_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and deleted_at is null`
  return rows.count === 1
}

function columns(sql: Sql | Tx) {
  return sql`
    id, subaccount_id, account_bank, account_number, full_name, bank_name, business_name,
    business_email, business_mobile, business_contact, business_contact_mobile, country, meta,
    split_type, split_value, is_changed, created_at`
}

function toSubaccount(row: SubaccountRow): Subaccount {
  return { ...row, splitValue: readDecimal(row.splitValue) }
}
