import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Account, ChartAccount, SystemSubtype } from './account.ts'
import type { ChartEntry } from './default-chart.ts'

// All of them, or the one with this code.
export async function listAccounts(
  sql: Sql | Tx,
  tenant: Tenant,
  code?: string,
): Promise<Account[]> {
  return sql<Account[]>`
    select id, code, name, type, subtype, active
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${code === undefined ? sql`` : sql`and code = ${code}`}
    order by code collate "C"`
}

export async function listChartAccounts(sql: Sql, tenant: Tenant): Promise<ChartAccount[]> {
  return sql<ChartAccount[]>`
    select id, code, name, type, subtype, active, is_system, currency
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by code collate "C"`
}

export async function findAccount(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    select id, code, name, type, subtype, active
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return account
}

// Locked, so that an account is not deactivated and changed at the same time.
export async function lockAccount(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<ChartAccount | undefined> {
  const [account] = await tx<ChartAccount[]>`
    select id, code, name, type, subtype, active, is_system, currency
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for no key update`
  return account
}

// Whether anything was ever posted to it.
export async function findIsPosted(sql: Sql | Tx, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await sql`
    select sequence
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and account_id = ${id}
    limit 1`
  return rows.length > 0
}

export async function findAccountIdByCode(
  sql: Sql | Tx,
  tenant: Tenant,
  code: string,
): Promise<string | undefined> {
  const [account] = await sql<{ id: string }[]>`
    select id
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and code = ${code}`
  return account?.id
}

// Each organisation has exactly one system account of each of these subtypes from the day its books
// are opened. It can't be removed.
export async function findSystemAccount(
  sql: Sql | Tx,
  tenant: Tenant,
  subtype: SystemSubtype,
): Promise<Account> {
  const [account] = await sql<Account[]>`
    select id, code, name, type, subtype, active
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subtype = ${subtype}
      and is_system`
  return assertDefined(account, `books without a system account for ${subtype}`)
}

// The ids of the accounts whose lines name open items.
export async function listControlAccounts(
  sql: Sql | Tx,
  tenant: Tenant,
  subtypes: readonly SystemSubtype[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subtype = any (${[...subtypes]}::text[])
      and is_system`
  return rows.map(({ id }) => id)
}

export async function insertAccounts(
  tx: Tx,
  tenant: Tenant,
  entries: readonly (ChartEntry & { id: string })[],
  createdAt: Date,
): Promise<void> {
  const { businessId, environment } = tenant
  const rows = entries.map((entry) => ({
    businessId,
    environment,
    ...entry,
    active: true,
    createdAt,
  }))
  await tx`insert into books.accounts ${tx(rows)}`
}

export async function insertAccount(
  tx: Tx,
  tenant: Tenant,
  account: ChartAccount & { readonly createdAt: Date },
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.accounts ${tx({ businessId, environment, ...account })}`
}

export async function updateAccount(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<ChartAccount, 'id' | 'isSystem'>>,
): Promise<void> {
  await tx`
    update books.accounts
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// All accounts, which then no one else changes.
export async function lockChart(tx: Tx, tenant: Tenant): Promise<ChartAccount[]> {
  return tx<ChartAccount[]>`
    select id, code, name, type, subtype, active, is_system, currency
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id
    for no key update`
}

// Gives the accounts codes that no person can enter, until each gets its own.
export async function updateCodesApart(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<void> {
  await tx`
    update books.accounts as account
    set code = chr(1) || part.place
    from unnest(${[...ids]}::uuid[]) with ordinality as part (id, place)
    where account.business_id = ${tenant.businessId}
      and account.environment = ${tenant.environment}
      and account.id = part.id`
}

// The accounts of the lines, and those of their taxes.
export async function listAccountsToPost(
  sql: Sql | Tx,
  tenant: Tenant,
  { ids, taxCodeIds }: { ids: readonly string[]; taxCodeIds: readonly string[] },
): Promise<ChartAccount[]> {
  return sql<ChartAccount[]>`
    select id, code, name, type, subtype, active, is_system, currency
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (
        id = any (${[...ids]}::uuid[])
        or id in (
          select coalesce((component ->> 'account_id')::uuid, account_id)
          from books.tax_codes
          cross join jsonb_array_elements(components) as component
          where business_id = ${tenant.businessId}
            and environment = ${tenant.environment}
            and id = any (${[...taxCodeIds]}::uuid[])
        )
      )
    order by code`
}

export async function listAccountsByIds(
  sql: Sql | Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ChartAccount[]> {
  return sql<ChartAccount[]>`
    select id, code, name, type, subtype, active, is_system, currency
    from books.accounts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]}::uuid[])`
}
