// The encrypted secrets of endpoints: the current one and, during a rotation, the old one.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { SealedSecrets } from './delivery-request.ts'

export type EndpointSecrets = SealedSecrets & {
  // Since when these are its secrets; null since it was registered.
  readonly secretSince: Date | null
}

export async function findEndpointSecrets(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<EndpointSecrets | undefined> {
  const [row] = await sql<EndpointSecrets[]>`
    select id as endpoint_id, secret_sealed, old_secret_sealed, old_secret_until, secret_since
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// The current secret becomes the old one, or is deleted at once if there is no overlap.
export async function updateEndpointToRotated(
  tx: Tx,
  tenant: Tenant,
  id: string,
  rotation: { secretSealed: Buffer; oldSecretUntil: Date | null; now: Date },
): Promise<void> {
  const { secretSealed, oldSecretUntil, now } = rotation
  await tx`
    update kernel.webhook_endpoints
    set old_secret_sealed = case
        when ${oldSecretUntil}::timestamptz is null then null
        else secret_sealed
      end,
      old_secret_until = ${oldSecretUntil},
      secret_sealed = ${secretSealed},
      secret_since = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function updateEndpointToPromoted(
  tx: Tx,
  tenant: Tenant,
  id: string,
  now: Date,
): Promise<void> {
  await tx`
    update kernel.webhook_endpoints
    set old_secret_sealed = null,
      old_secret_until = null,
      secret_since = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Of all tenants. Returns how many were deleted.
export async function updateOverdueSecretsWiped(sql: Sql, now: Date): Promise<number> {
  const { count } = await sql`
    update kernel.webhook_endpoints
    set old_secret_sealed = null,
      old_secret_until = null,
      secret_since = old_secret_until
    where old_secret_until <= ${now}`
  return count
}
