// The encrypted secrets of endpoints: the current one and, during a rotation, the old one.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'

// The current secret becomes the old one, or is deleted at once if there is no overlap.
export async function updateEndpointToRotated(
  tx: Tx,
  tenant: Tenant,
  id: string,
  { secretSealed, oldSecretUntil }: { secretSealed: Buffer; oldSecretUntil: Date | null },
): Promise<void> {
  await tx`
    update kernel.webhook_endpoints
    set old_secret_sealed = case
        when ${oldSecretUntil}::timestamptz is null then null
        else secret_sealed
      end,
      old_secret_until = ${oldSecretUntil},
      secret_sealed = ${secretSealed}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function updateEndpointToPromoted(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await tx`
    update kernel.webhook_endpoints
    set old_secret_sealed = null,
      old_secret_until = null
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Of all tenants. Returns how many were deleted.
export async function updateOverdueSecretsWiped(sql: Sql, now: Date): Promise<number> {
  const { count } = await sql`
    update kernel.webhook_endpoints
    set old_secret_sealed = null,
      old_secret_until = null
    where old_secret_until <= ${now}`
  return count
}
