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

export type FeeScheduleOf = FeeSchedule & {
  readonly businessId: string
  readonly currency: string
  readonly updatedAt: Date
}

// Of one business or of all.
export async function listFeeSchedules(
  sql: Sql | Tx,
  businessId: string | undefined,
): Promise<FeeScheduleOf[]> {
  return sql<FeeScheduleOf[]>`
    select business_id, currency, basis_points, fixed_minor, updated_at
    from merchant.fee_schedules
    where ${businessId ?? null}::uuid is null
      or business_id = ${businessId ?? null}
    order by business_id, currency`
}

export async function insertOrUpdateFeeSchedule(
  tx: Tx,
  businessId: string,
  currency: string,
  { basisPoints, fixedMinor }: FeeSchedule,
  updatedAt: Date,
): Promise<void> {
  await tx`
    insert into merchant.fee_schedules
      (business_id, currency, basis_points, fixed_minor, updated_at)
    values (${businessId}, ${currency}, ${basisPoints}, ${fixedMinor}, ${updatedAt})
    on conflict (business_id, currency) do update
    set basis_points = excluded.basis_points,
      fixed_minor = excluded.fixed_minor,
      updated_at = excluded.updated_at`
}
