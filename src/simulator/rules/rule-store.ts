import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { toText } from '../../kernel/money/decimal.ts'
import { readDecimal } from '../decimals.ts'
import type { Effect, Parameters, Rule, Subject } from './rule.ts'

type RuleRow = Omit<Rule, 'amount'> & { amount: string | null }

export type NewRule = Omit<Rule, 'id' | 'used'> & { createdAt: Date }

export async function insertRule(sql: Sql | Tx, tenant: Tenant, rule: NewRule): Promise<bigint> {
  const { businessId, environment } = tenant
  const [row] = await sql<{ id: bigint }[]>`
    insert into simulator.rules
      (business_id, environment, operation, effect, parameters, amount, reference_like, remaining,
       used, created_at)
    values
      (${businessId}, ${environment}, ${rule.operation}, ${rule.effect},
       ${sql.json(rule.parameters)}, ${rule.amount && toText(rule.amount)}, ${rule.referenceLike},
       ${rule.remaining}, 0, ${rule.createdAt})
    returning id`
  return row?.id ?? 0n
}

export async function listRules(sql: Sql | Tx, tenant: Tenant): Promise<Rule[]> {
  const rows = await sql<RuleRow[]>`
    select id, operation, effect, parameters, amount, reference_like, remaining, used
    from simulator.rules
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id`
  return rows.map((row) => ({
    ...row,
    amount: row.amount === null ? null : readDecimal(row.amount),
  }))
}

export async function findAnyRule(
  sql: Sql | Tx,
  tenant: Tenant,
  operations: readonly string[],
): Promise<boolean> {
  const [row] = await sql`
    select 1
    from simulator.rules
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and operation = any(${operations})
      and remaining is distinct from 0
    limit 1`
  return row !== undefined
}

// Counts one use of each matching rule. The locks let two concurrent calls share a single-use rule
// correctly: the second waits, looks again and finds it used up.
export async function updateMatchingRules(
  sql: Sql | Tx,
  tenant: Tenant,
  operations: readonly string[],
  subject: Subject,
): Promise<Effect[]> {
  const amount = subject.amount ? toText(subject.amount) : null
  const rows = await sql<{ id: bigint; effect: string; parameters: Parameters }[]>`
    update simulator.rules
    set remaining = remaining - 1,
      used = used + 1
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id in (
        select id
        from simulator.rules
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and operation = any(${operations})
          and remaining is distinct from 0
          and (amount is null or amount = ${amount}::numeric)
          and (reference_like is null or ${subject.reference ?? null}::text like reference_like)
        order by id
        for update)
    returning id, effect, parameters`
  return rows
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ effect, parameters }) => ({ effect, parameters }))
}

// All of them, or the named one. Tests delete rules to end the misbehaviour.
export async function deleteRules(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint | undefined,
): Promise<number> {
  const rows = await sql`
    delete from simulator.rules
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and (${id ?? null}::bigint is null or id = ${id ?? null})`
  return rows.count
}
