import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { lowestIdAround } from '../id-range.ts'

// Those that people or keys asked for in the period and that needed no approval.
export async function findUnapprovedRefunds(
  sql: Sql,
  tenant: Tenant,
  currency: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ readonly count: number; readonly totalMinor: bigint }> {
  const [row] = await sql<{ count: number; totalMinor: bigint }[]>`
    select count(*)::integer as count, coalesce(sum(amount_minor), 0)::bigint as total_minor
    from merchant.refunds
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id >= ${lowestIdAround(from, -1)}
      and id < ${lowestIdAround(to, 1)}
      and currency = ${currency}
      and cause = 'requested'
      and approval_id is null
      and status in ('pending', 'accepted', 'settled')
      and created_at > ${from}
      and created_at <= ${to}`
  return row ?? { count: 0, totalMinor: 0n }
}
