// Folding moves lines from the tail into the checkpoints. It can run at any time, concurrently with
// itself and with any other transaction, and never changes a balance.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'

// Moves at most `limit` lines and returns how many it moved. A line that commits later, even one
// with an earlier id, stays in the tail until the next fold. Two concurrent folds wait for each
// other; the second finds the lines gone. The batch ends at a boundary and is not joined with a
// list of lines: the tail is nearly empty whenever statistics are taken, so the planner expects one
// row and would choose a plan that compares every line with every other.
export async function updateCheckpoints(tx: Tx, tenant: Tenant, limit: number): Promise<number> {
  const [row] = await tx<{ lineCount: number }[]>`
    with boundary as materialized (
      select account, currency, entry_id, position
      from kernel.ledger_tail
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
      order by account, currency, entry_id, position
      limit 1
      offset ${limit - 1}
    ),
    folded as (
      delete from kernel.ledger_tail as tail
      where tail.business_id = ${tenant.businessId}
        and tail.environment = ${tenant.environment}
        and not exists (
          select
          from boundary
          where (boundary.account, boundary.currency, boundary.entry_id, boundary.position)
            < (tail.account, tail.currency, tail.entry_id, tail.position)
        )
      returning tail.account, tail.currency, tail.amount_minor
    ),
    checkpoint as (
      insert into kernel.ledger_checkpoints (
        business_id, environment, account, currency, balance_minor
      )
      select
        ${tenant.businessId}::uuid,
        ${tenant.environment},
        account,
        currency,
        sum(amount_minor)::bigint
      from folded
      group by account, currency
      order by account, currency
      on conflict (business_id, environment, account, currency) do update
      set balance_minor = ledger_checkpoints.balance_minor + excluded.balance_minor
    )
    select count(*)::integer as line_count
    from folded`
  return row?.lineCount ?? 0
}

// The longest first. Folding keeps the tail short, so counting it is cheap.
export async function listTenantsWithLongTails(
  sql: Sql,
  lengthMin: number,
  limit: number,
): Promise<readonly Tenant[]> {
  return await sql<Tenant[]>`
    select business_id, environment
    from kernel.ledger_tail
    group by business_id, environment
    having count(*) >= ${lengthMin}
    order by count(*) desc, business_id, environment
    limit ${limit}`
}
