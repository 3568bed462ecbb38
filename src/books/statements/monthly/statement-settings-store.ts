// Whether a business has statements mailed each month, and which contacts get none.
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../../kernel/db/database.ts'
import { listSameContactIds } from '../../contacts/merged-contact-store.ts'
import type { StatementSettings } from './monthly-statement.ts'

export async function findStatementSettings(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<StatementSettings | undefined> {
  const [row] = await sql<StatementSettings[]>`
    select is_on, since
    from books.statement_settings
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row
}

// The first save inserts the row.
export async function updateStatementSettings(
  tx: Tx,
  tenant: Tenant,
  { isOn, since }: StatementSettings,
): Promise<void> {
  await tx`
    insert into books.statement_settings (business_id, environment, is_on, since)
    values (${tenant.businessId}, ${tenant.environment}, ${isOn}, ${since})
    on conflict (business_id, environment)
      do update set
        is_on = excluded.is_on,
        since = excluded.since`
}

export async function listTenantsWithStatements(sql: Sql): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select business_id, environment
    from books.statement_settings
    where is_on
    order by business_id, environment`
}

export type StatementStop = {
  readonly id: string
  readonly contactId: string
  readonly reason: string
  readonly createdAt: Date
}

// The one that lasts, of a contact or of one that was merged into it.
export async function findStatementStop(
  sql: Sql | Tx,
  tenant: Tenant,
  contactId: string,
): Promise<StatementStop | undefined> {
  const [row] = await sql<StatementStop[]>`
    select id, contact_id, reason, created_at
    from books.statement_stops
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ended_at is null
      and contact_id = any (${listSameContactIds(sql, tenant, contactId)})
    order by created_at, id
    limit 1`
  return row
}

// False if they are stopped already.
export async function insertStatementStop(
  tx: Tx,
  tenant: Tenant,
  stop: StatementStop,
): Promise<boolean> {
  const { businessId, environment } = tenant
  const result = await tx`
    insert into books.statement_stops ${tx({ businessId, environment, ...stop })}
    on conflict do nothing`
  return result.count === 1
}

// How many have ended.
export async function updateStatementStopsEnded(
  tx: Tx,
  tenant: Tenant,
  contactId: string,
  endedAt: Date,
): Promise<number> {
  const result = await tx`
    update books.statement_stops
    set ended_at = ${endedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ended_at is null
      and contact_id = any (${listSameContactIds(tx, tenant, contactId)})`
  return result.count
}
