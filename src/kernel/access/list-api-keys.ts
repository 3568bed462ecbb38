import { z } from 'zod'
import type { ApiKey } from '../auth/api-key.ts'
import { type ListedApiKey, listApiKeys as listKeys } from '../auth/api-key-store.ts'
import type { Sql, Tx } from '../db/database.ts'
import { everyRole } from '../operations/permission.ts'
import { defineOperation } from './define-operation.ts'

export type KeyState = 'active' | 'revoked' | 'expired'
export type ApiKeyView = ListedApiKey & { readonly state: KeyState }

// Of both services and both environments, so that a leaked key is easy to find.
export const listApiKeys = defineOperation({
  name: 'list-api-keys',
  summary: 'List the API keys of a business, with their state',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database, clock }, actor): Promise<ApiKeyView[]> =>
    readApiKeys(database.sql, actor.businessId, clock.now()),
})

export async function readApiKeys(
  sql: Sql | Tx,
  businessId: string,
  now: Date,
): Promise<ApiKeyView[]> {
  const keys = await listKeys(sql, businessId)
  return keys.map((key) => ({ ...key, state: stateOf(key, now) }))
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}
