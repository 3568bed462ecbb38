import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { NumberedKind } from './number-series.ts'

export async function findPattern(
  sql: Sql | Tx,
  tenant: Tenant,
  kind: NumberedKind,
): Promise<string> {
  const [row] = await sql<{ pattern: string }[]>`
    select pattern
    from books.number_series
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and kind = ${kind}`
  return assertDefined(row, `no number series for ${kind}`).pattern
}

export async function insertSeries(
  tx: Tx,
  tenant: Tenant,
  patterns: Readonly<Record<NumberedKind, string>>,
): Promise<void> {
  const { businessId, environment } = tenant
  const rows = Object.entries(patterns).map(([kind, pattern]) => ({
    businessId,
    environment,
    kind,
    pattern,
  }))
  await tx`insert into books.number_series ${tx(rows)}`
}

// Locks the counter until the transaction ends; a rollback gives the number back.
export async function updateCounter(
  tx: Tx,
  tenant: Tenant,
  kind: NumberedKind,
  period: string,
): Promise<bigint> {
  const { businessId, environment } = tenant
  const counter = { businessId, environment, kind, period, lastNumber: 1n }
  const [row] = await tx<{ lastNumber: bigint }[]>`
    insert into books.number_counters ${tx(counter)}
    on conflict (business_id, environment, kind, period)
      do update set last_number = number_counters.last_number + 1
    returning last_number`
  return assertDefined(row, 'a counter that did not count').lastNumber
}
