// The statements of allocations. The caller has locked both open items.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Allocation } from './allocation.ts'

export async function insertAllocation(
  tx: Tx,
  tenant: Tenant,
  allocation: Allocation,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.allocations ${tx({ businessId, environment, ...allocation })}`
}

export async function findAllocation(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Allocation | undefined> {
  const [row] = await sql<Allocation[]>`
    select ${columns(sql)}
    from books.allocations
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Newest first, including removed ones.
export async function listAllocations(
  sql: Sql | Tx,
  tenant: Tenant,
  itemId: string,
): Promise<Allocation[]> {
  return sql<Allocation[]>`
    select ${columns(sql)}
    from books.allocations
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ${itemId} in (debit_item_id, credit_item_id)
    order by created_at desc, id desc`
}

export async function updateAllocationRemoved(
  tx: Tx,
  tenant: Tenant,
  id: string,
  removed: { removedOn: string; removedAt: Date },
): Promise<void> {
  await tx`
    update books.allocations
    set removed_on = ${removed.removedOn},
      removed_at = ${removed.removedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, debit_item_id, credit_item_id, date, amount_minor, debit_base_minor, credit_base_minor,
    booked_with, created_at, removed_on, removed_at`
}
