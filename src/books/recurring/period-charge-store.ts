// Periods of schedules that charge a saved card.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { RecurringPeriod } from './recurring-schedule.ts'

export type PeriodKey = Tenant & Pick<RecurringPeriod, 'scheduleId' | 'number'>

// Of all tenants: those whose card must be charged, after the given one.
export async function listUnchargedPeriods(
  sql: Sql,
  after: PeriodKey | undefined,
  limit: number,
): Promise<PeriodKey[]> {
  return sql<PeriodKey[]>`
    select business_id, environment, schedule_id, number
    from books.recurring_periods
    where charge = 'due'
      ${after ? afterCondition(sql, after) : sql``}
    order by business_id, environment, schedule_id, number
    limit ${limit}`
}

function afterCondition(sql: Sql, { businessId, environment, scheduleId, number }: PeriodKey) {
  return sql`
    and (business_id, environment, schedule_id, number)
      > (${businessId}::uuid, ${environment}, ${scheduleId}::uuid, ${number}::integer)`
}

// Undefined if it is charged or left by now. The lock makes a second worker wait.
export async function lockUnchargedPeriod(
  tx: Tx,
  tenant: Tenant,
  { scheduleId, number }: Pick<PeriodKey, 'scheduleId' | 'number'>,
): Promise<Pick<RecurringPeriod, 'day' | 'documentId'> | undefined> {
  const [row] = await tx<Pick<RecurringPeriod, 'day' | 'documentId'>[]>`
    select day, document_id
    from books.recurring_periods
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and schedule_id = ${scheduleId}
      and number = ${number}
      and charge = 'due'
    for update`
  return row
}

export async function updatePeriodCharge(
  tx: Tx,
  tenant: Tenant,
  { scheduleId, number }: Pick<PeriodKey, 'scheduleId' | 'number'>,
  { charge, chargeNote }: Pick<RecurringPeriod, 'charge' | 'chargeNote'>,
): Promise<void> {
  await tx`
    update books.recurring_periods
    set charge = ${charge},
      charge_note = ${chargeNote}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and schedule_id = ${scheduleId}
      and number = ${number}`
}
