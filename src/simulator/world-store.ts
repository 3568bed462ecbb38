import type { Tenant } from '../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../kernel/db/database.ts'
import type { World } from './world.ts'

type WorldRow = Omit<World, 'tenant'>

export type NewWorld = Pick<World, 'chargeFeePercents' | 'magicAmounts'> & { createdAt: Date }

export async function findWorld(sql: Sql | Tx, tenant: Tenant): Promise<World | undefined> {
  const [row] = await sql<WorldRow[]>`
    select account_id, webhook_url, webhook_hash, charge_fee_percents, magic_amounts
    from simulator.worlds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row && { tenant, ...row }
}

// Of all tenants: the businesses whose live keys have reached the simulator, by its names for them.
export async function listLiveWorlds(sql: Sql): Promise<string[]> {
  const rows = await sql<{ businessId: string }[]>`
    select business_id
    from simulator.worlds
    where environment = 'live'
    order by business_id`
  return rows.map(({ businessId }) => businessId)
}

// Two first requests can arrive together. False for the second one.
export async function insertWorld(tx: Tx, tenant: Tenant, world: NewWorld): Promise<boolean> {
  const rows = await tx`
    insert into simulator.worlds
      (business_id, environment, charge_fee_percents, magic_amounts, created_at)
    values
      (${tenant.businessId}, ${tenant.environment}, ${tx.json(world.chargeFeePercents)},
       ${world.magicAmounts}, ${world.createdAt})
    on conflict do nothing`
  return rows.count === 1
}

export type WorldSettings = Omit<WorldRow, 'accountId'>

export async function updateWorld(
  sql: Sql | Tx,
  tenant: Tenant,
  settings: WorldSettings,
): Promise<void> {
  await sql`
    update simulator.worlds
    set webhook_url = ${settings.webhookUrl},
      webhook_hash = ${settings.webhookHash},
      charge_fee_percents = ${sql.json(settings.chargeFeePercents)},
      magic_amounts = ${settings.magicAmounts}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
}
