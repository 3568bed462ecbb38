import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Item } from './item.ts'

// All of them, or the one with this code.
export async function listItems(sql: Sql | Tx, tenant: Tenant, code?: string): Promise<Item[]> {
  return sql<Item[]>`
    select ${columns(sql)}
    from books.items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${code === undefined ? sql`` : sql`and code = ${code}`}
    order by code collate "C"`
}

export async function findItem(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Item | undefined> {
  const [row] = await sql<Item[]>`
    select ${columns(sql)}
    from books.items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

export async function findItemIdByCode(
  sql: Sql | Tx,
  tenant: Tenant,
  code: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from books.items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and code = ${code}`
  return row?.id
}

export async function insertItem(tx: Tx, tenant: Tenant, item: Item): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.items ${tx({ businessId, environment, ...item })}`
}

export async function updateItem(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Item, 'id' | 'createdAt'>>,
): Promise<void> {
  await tx`
    update books.items
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, code, name, description, sales_unit_price, purchase_unit_price, sales_account_id,
    purchase_account_id, sales_tax_code_id, purchase_tax_code_id, active, created_at`
}
