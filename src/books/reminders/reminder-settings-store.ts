import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ReminderSettings } from './reminder.ts'

export async function findReminderSettings(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<ReminderSettings | undefined> {
  const [row] = await sql<ReminderSettings[]>`
    select is_on, steps, since
    from books.reminder_settings
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row
}

// The first save inserts the row.
export async function updateReminderSettings(
  tx: Tx,
  tenant: Tenant,
  { isOn, steps, since }: ReminderSettings,
): Promise<void> {
  await tx`
    insert into books.reminder_settings (business_id, environment, is_on, steps, since)
    values (${tenant.businessId}, ${tenant.environment}, ${isOn}, ${[...steps]}, ${since})
    on conflict (business_id, environment)
      do update set
        is_on = excluded.is_on,
        steps = excluded.steps,
        since = excluded.since`
}

export async function listTenantsWithReminders(sql: Sql): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select business_id, environment
    from books.reminder_settings
    where is_on
    order by business_id, environment`
}
