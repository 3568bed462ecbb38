import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { FeeSchedule } from './fee-schedule.ts'

export async function findFeeSchedule(
  sql: Sql | Tx,
  businessId: string,
  currency: string,
): Promise<FeeSchedule | undefined> {
  const [row] = await sql<FeeSchedule[]>`
    select basis_points, fixed_minor
    from merchant.fee_schedules
    where business_id = ${businessId}
      and currency = ${currency}`
  return row
}
