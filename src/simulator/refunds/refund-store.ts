import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'
import type { Refund } from './refund.ts'

type RefundRow = Omit<Refund, 'amount'> & { amount: string }

export async function insertRefund(
  tx: Tx,
  tenant: Tenant,
  refund: Omit<Refund, 'id'>,
): Promise<bigint> {
  const { businessId, environment } = tenant
  const values = { ...refund, amount: toText(refund.amount) }
  const [row] = await tx<{ id: bigint }[]>`
    insert into simulator.refunds ${tx({ businessId, environment, ...values })}
    returning id`
  return row?.id ?? 0n
}

export async function findRefund(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
): Promise<Refund | undefined> {
  const [row] = await sql<RefundRow[]>`
    select ${columns(sql)}
    from simulator.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row && toRefund(row)
}

export async function lockRefund(tx: Tx, tenant: Tenant, id: bigint): Promise<Refund | undefined> {
  const [row] = await tx<RefundRow[]>`
    select ${columns(tx)}
    from simulator.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row && toRefund(row)
}

export type RefundFilter = {
  readonly chargeId?: bigint | undefined
  readonly fromDay?: string | undefined
  readonly toDay?: string | undefined
}

export async function listRefunds(
  sql: Sql | Tx,
  tenant: Tenant,
  { chargeId, fromDay, toDay }: RefundFilter,
  paging: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; refunds: Refund[] }> {
  const matches = sql`
    business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${chargeId ?? null}::bigint is null or charge_id = ${chargeId ?? null})
      and (${fromDay ?? null}::date is null or created_at >= ${fromDay ?? null}::date)
      and (${toDay ?? null}::date is null or created_at < ${toDay ?? null}::date + 1)`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::integer as total
    from simulator.refunds
    where ${matches}`
  const rows = await sql<RefundRow[]>`
    select ${columns(sql)}
    from simulator.refunds
    where ${matches}
    order by id desc
    limit ${paging.limit}
    offset ${paging.offset}`
  return { total: count?.total ?? 0, refunds: rows.map(toRefund) }
}

export async function updateRefundStatus(
  tx: Tx,
  tenant: Tenant,
  id: bigint,
  status: string,
): Promise<void> {
  await tx`
    update simulator.refunds
    set status = ${status}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`id, charge_id, flw_ref, amount, status, comments, created_at`
}

function toRefund(row: RefundRow): Refund {
  return { ...row, amount: readDecimal(row.amount) }
}
