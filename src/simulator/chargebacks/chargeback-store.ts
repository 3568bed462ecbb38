import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'
import type { Chargeback } from './chargeback.ts'

type ChargebackRow = Omit<Chargeback, 'amount'> & { amount: string }

export async function insertChargeback(
  tx: Tx,
  tenant: Tenant,
  chargeback: Omit<Chargeback, 'id'>,
): Promise<bigint> {
  const { businessId, environment } = tenant
  const values = { ...chargeback, amount: toText(chargeback.amount) }
  const [row] = await tx<{ id: bigint }[]>`
    insert into simulator.chargebacks ${tx({ businessId, environment, ...values })}
    returning id`
  return row?.id ?? 0n
}

// The undecided chargeback of a charge.
export async function lockOpenChargeback(
  tx: Tx,
  tenant: Tenant,
  chargeId: bigint,
): Promise<Chargeback | undefined> {
  const [row] = await tx<ChargebackRow[]>`
    select ${columns(tx)}
    from simulator.chargebacks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and charge_id = ${chargeId}
      and status in ('initiated', 'declined')
    order by id
    limit 1
    for update`
  return row && toChargeback(row)
}

// Days are inclusive, as in the provider's other lists.
export async function listChargebacks(
  sql: Sql | Tx,
  tenant: Tenant,
  days: { readonly fromDay: string | undefined; readonly toDay: string | undefined },
  paging: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; chargebacks: Chargeback[] }> {
  const matches = sql`
    business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${days.fromDay ?? null}::date is null
        or (created_at at time zone 'UTC')::date >= ${days.fromDay ?? null}::date)
      and (${days.toDay ?? null}::date is null
        or (created_at at time zone 'UTC')::date <= ${days.toDay ?? null}::date)`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::integer as total
    from simulator.chargebacks
    where ${matches}`
  const rows = await sql<ChargebackRow[]>`
    select ${columns(sql)}
    from simulator.chargebacks
    where ${matches}
    order by id desc
    limit ${paging.limit}
    offset ${paging.offset}`
  return { total: count?.total ?? 0, chargebacks: rows.map(toChargeback) }
}

export async function updateChargebackStatus(
  tx: Tx,
  tenant: Tenant,
  id: bigint,
  status: Chargeback['status'],
): Promise<void> {
  await tx`
    update simulator.chargebacks
    set status = ${status},
      stage = ${status === 'declined' ? 'contested' : 'decided'}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`id, charge_id, amount, status, stage, comment, due_at, created_at`
}

function toChargeback(row: ChargebackRow): Chargeback {
  return { ...row, amount: readDecimal(row.amount) }
}
