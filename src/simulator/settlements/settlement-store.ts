import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type Settlement = {
  readonly id: bigint
  readonly currency: string
  readonly dueDate: string
  readonly disburseRef: string
  readonly createdAt: Date
}

export async function findSettlementOfDay(
  sql: Sql | Tx,
  tenant: Tenant,
  currency: string,
  dueDate: string,
): Promise<bigint | undefined> {
  const [row] = await sql<{ id: bigint }[]>`
    select id
    from simulator.settlements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency}
      and due_date = ${dueDate}`
  return row?.id
}

export async function insertSettlement(
  tx: Tx,
  tenant: Tenant,
  settlement: Omit<Settlement, 'id'>,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into simulator.settlements ${tx({ businessId, environment, ...settlement })}
    on conflict do nothing`
}

export async function findSettlement(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
): Promise<Settlement | undefined> {
  const [row] = await sql<Settlement[]>`
    select id, currency, due_date, disburse_ref, created_at
    from simulator.settlements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

export async function listSettlements(
  sql: Sql | Tx,
  tenant: Tenant,
  days: { readonly from: string | undefined; readonly to: string | undefined },
  paging: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; settlements: Settlement[] }> {
  const { from = null, to = null } = days
  const matches = sql`
    business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${from}::date is null or due_date >= ${from}::date)
      and (${to}::date is null or due_date <= ${to}::date)`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::integer as total
    from simulator.settlements
    where ${matches}`
  const settlements = await sql<Settlement[]>`
    select id, currency, due_date, disburse_ref, created_at
    from simulator.settlements
    where ${matches}
    order by id desc
    limit ${paging.limit}
    offset ${paging.offset}`
  return { total: count?.total ?? 0, settlements }
}
