// The timeline of a charge, as the provider shows it.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type ChargeEvent = {
  readonly note: string
  readonly action: string
  readonly createdAt: Date
}

export async function insertChargeEvent(
  tx: Tx,
  tenant: Tenant,
  chargeId: bigint,
  event: ChargeEvent,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into simulator.charge_events ${tx({ businessId, environment, chargeId, ...event })}`
}

export async function listChargeEvents(
  sql: Sql | Tx,
  tenant: Tenant,
  chargeId: bigint,
): Promise<ChargeEvent[]> {
  return sql<ChargeEvent[]>`
    select note, action, created_at
    from simulator.charge_events
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and charge_id = ${chargeId}
    order by id`
}
