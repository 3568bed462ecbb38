import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { type NumberedKind, numberExpression } from './number-series.ts'

// Assigning a number shares the lock, so that the pattern does not change meanwhile.
export async function lockPattern(
  tx: Tx,
  tenant: Tenant,
  kind: NumberedKind,
  lock: 'share' | 'update',
): Promise<string> {
  const [row] = await tx<{ pattern: string }[]>`
    select pattern
    from books.number_series
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and kind = ${kind}
    ${lock === 'share' ? tx`for share` : tx`for update`}`
  return assertDefined(row, `no number series for ${kind}`).pattern
}

export async function listPatterns(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<{ kind: NumberedKind; pattern: string }[]> {
  return sql<{ kind: NumberedKind; pattern: string }[]>`
    select kind, pattern
    from books.number_series
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by kind`
}

export async function updatePattern(
  tx: Tx,
  tenant: Tenant,
  kind: NumberedKind,
  pattern: string,
): Promise<void> {
  await tx`
    update books.number_series
    set pattern = ${pattern}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and kind = ${kind}`
}

// A used number that the pattern would assign again: it matches the pattern and is beyond the
// counter of its period.
export async function findNumberInUse(
  tx: Tx,
  tenant: Tenant,
  kind: NumberedKind,
  pattern: string,
): Promise<string | undefined> {
  const { expression, width, yearGroup, counterGroup } = numberExpression(pattern)
  const table = kind === 'quote' ? tx`books.quotes` : tx`books.documents`
  const [row] = await tx<{ number: string }[]>`
    select given.number
    from ${table} as given
    cross join lateral regexp_match(given.number, ${expression}) as part
    left join books.number_counters as counter
      on counter.business_id = given.business_id
      and counter.environment = given.environment
      and counter.kind = ${kind}
      and counter.period = ${yearGroup === null ? tx`''` : tx`part[${yearGroup}::integer]`}
    where given.business_id = ${tenant.businessId}
      and given.environment = ${tenant.environment}
      ${kind === 'quote' ? tx`` : tx`and given.kind = ${kind}`}
      and given.number ~ ${expression}
      and part[${counterGroup}::integer] = lpad(
        part[${counterGroup}::integer]::numeric::text,
        greatest(${width}::integer, length(part[${counterGroup}::integer]::numeric::text)),
        '0'
      )
      and part[${counterGroup}::integer]::numeric > coalesce(counter.last_number, 0)
    order by given.number
    limit 1`
  return row?.number
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

// Locks the counter until the transaction ends; a rollback returns the number.
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
