import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Plan } from './plan.ts'

export async function findPlan(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Plan | undefined> {
  const [row] = await sql<Plan[]>`
    select ${columns(sql)}
    from merchant.plans
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Newest first.
export async function listPlans(sql: Sql | Tx, tenant: Tenant, limit: number): Promise<Plan[]> {
  return sql<Plan[]>`
    select ${columns(sql)}
    from merchant.plans
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id desc
    limit ${limit}`
}

export async function insertPlan(tx: Tx, tenant: Tenant, plan: Plan): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.plans ${tx({ businessId, environment, ...plan })}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, name, currency, amount_minor, interval_unit, interval_count, time_zone, created_at`
}
