import type { Sql, Tx } from '../db/database.ts'
import type { ApiKey } from './api-key.ts'

// A statement that only reads, or stands alone, can also run on the pool.
type Connection = Sql | Tx

export async function findApiKeyByHash(
  sql: Connection,
  businessId: string,
  hash: Buffer,
): Promise<ApiKey | undefined> {
  const [row] = await sql<ApiKey[]>`
    select ${columns(sql)}
    from kernel.api_keys
    where business_id = ${businessId}
      and secret_hash = ${hash}`
  return row
}

// With the creator's e-mail address, for people.
export type ListedApiKey = ApiKey & {
  readonly creatorEmail: string
  // The creator has left the business, so someone should check whether the key is still needed.
  readonly isCreatorGone: boolean
}

export async function listApiKeys(sql: Connection, businessId: string): Promise<ListedApiKey[]> {
  return sql<ListedApiKey[]>`
    select ${columns(sql)},
      (select email from kernel.people where people.id = created_by) as creator_email,
      not exists (
        select
        from kernel.memberships
        where memberships.business_id = ${businessId}
          and memberships.person_id = api_keys.created_by
      ) as is_creator_gone
    from kernel.api_keys
    where business_id = ${businessId}
    order by created_at, id`
}

// Locked, so that a rotation and a revocation of one key happen one after the other.
export async function lockApiKey(
  tx: Tx,
  businessId: string,
  id: string,
): Promise<ApiKey | undefined> {
  const [row] = await tx<ApiKey[]>`
    select ${columns(tx)}
    from kernel.api_keys
    where business_id = ${businessId}
      and id = ${id}
    for update`
  return row
}

export async function insertApiKey(tx: Tx, key: ApiKey, secretHash: Buffer): Promise<void> {
  await tx`
    insert into kernel.api_keys ${tx({
      ...key,
      scopes: [...key.scopes],
      allowedAddresses: [...key.allowedAddresses],
      secretHash,
    })}`
}

export async function updateApiKeyRevoked(
  tx: Tx,
  businessId: string,
  id: string,
  revokedAt: Date,
): Promise<void> {
  await tx`
    update kernel.api_keys
    set revoked_at = ${revokedAt}
    where business_id = ${businessId}
      and id = ${id}
      and revoked_at is null`
}

export async function updateApiKeyExpiry(
  tx: Tx,
  businessId: string,
  id: string,
  expiresAt: Date,
): Promise<void> {
  await tx`
    update kernel.api_keys
    set expires_at = ${expiresAt}
    where business_id = ${businessId}
      and id = ${id}`
}

export async function updateApiKeyLastUsed(
  sql: Connection,
  businessId: string,
  id: string,
  usedAt: Date,
): Promise<void> {
  await sql`
    update kernel.api_keys
    set last_used_at = ${usedAt}
    where business_id = ${businessId}
      and id = ${id}
      and (last_used_at is null or last_used_at < ${usedAt})`
}

function columns(sql: Connection) {
  return sql`
    business_id, id, service, environment, name, hint, scopes, allowed_addresses,
    created_by, created_at, expires_at, revoked_at, last_used_at, replaces_id`
}
