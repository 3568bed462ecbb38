import type { Sql } from '../kernel/db/database.ts'
import type { Violation } from '../kernel/db/invariant.ts'

// A charged period has one charge, which pays the invoice of the period; and every charge has its
// period.
export async function listMischargedPeriods(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      coalesce(period.business_id, charge.business_id) as business_id,
      coalesce(period.environment, charge.environment) as environment,
      coalesce(period.schedule_id, charge.schedule_id) as schedule_id,
      coalesce(period.number, charge.number) as number,
      period.document_id, charge.payment_id
    from (
      select business_id, environment, schedule_id, number, day, document_id
      from books.recurring_periods
      where charge = 'charged'
    ) as period
    full join (
      select made.*, payment.invoice_id
      from merchant.schedule_charges as made
      join merchant.payments as payment
        on payment.business_id = made.business_id
        and payment.environment = made.environment
        and payment.id = made.payment_id
    ) as charge
      on charge.business_id = period.business_id
      and charge.environment = period.environment
      and charge.schedule_id = period.schedule_id
      and charge.number = period.number
    where period.document_id is distinct from charge.invoice_id
      or period.day is distinct from charge.day
    limit ${limit}`
}
