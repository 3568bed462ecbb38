import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ServiceSettings } from './service-settings.ts'

export async function findServiceSettings(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<ServiceSettings | undefined> {
  const [row] = await sql<ServiceSettings[]>`
    select ${columns(sql)}
    from books.service_settings
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row
}

// Serialises recording movements, posting one and changing the settings, per tenant.
export async function lockServiceSettings(
  tx: Tx,
  tenant: Tenant,
): Promise<ServiceSettings | undefined> {
  const [row] = await tx<ServiceSettings[]>`
    select ${columns(tx)}
    from books.service_settings
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    for no key update`
  return row
}

// They stay as they are until the transaction ends; others may read them meanwhile.
export async function lockServiceSettingsForShare(
  tx: Tx,
  tenant: Tenant,
): Promise<ServiceSettings | undefined> {
  const [row] = await tx<ServiceSettings[]>`
    select ${columns(tx)}
    from books.service_settings
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    for share`
  return row
}

export async function insertServiceSettings(
  tx: Tx,
  tenant: Tenant,
  settings: ServiceSettings,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.service_settings ${tx({ businessId, environment, ...settings })}`
}

export async function updateServiceSettings(
  tx: Tx,
  tenant: Tenant,
  changes: Partial<ServiceSettings>,
): Promise<void> {
  await tx`
    update books.service_settings
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
}

function columns(sql: Sql | Tx) {
  return sql`
    is_on, since, look_from, near_from, looked_at, looked_back_at, unassigned_account_id,
    share_account_id, payout_account_id, takes_invoice_payments, takes_part_payments`
}
