// Creates an API key in the caller's transaction, with its audit row. The text of a key is returned
// once, here; the database stores only its hash.
import type { Environment } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { type ApiKey, hashKeyText, keyHint, makeKeyText } from './api-key.ts'
import { insertApiKey } from './api-key-store.ts'
import { recordAct } from './audit-log.ts'

// A service's keys: the prefix of their text and their possible scopes.
export type KeyIssuer = {
  readonly name: string
  readonly keyPrefix: string
  readonly scopes: readonly string[]
  // Scopes that are included in another one, such as read in write.
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>>
}

export type NewApiKey = {
  name: string
  environment: Environment
  scopes: readonly string[]
  allowedAddresses?: readonly string[]
  expiresAt?: Date | null
  // The person who is responsible for it: approvals compare people, not keys.
  createdBy: string
}

// The key that a new one replaces. It still works for a while.
export type ReplacedKey = { readonly id: string; readonly overlapSeconds: number }

export type IssuedKey = ApiKey & { readonly text: string }

export async function issueApiKey(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  actor: Actor,
  issuer: KeyIssuer,
  wanted: NewApiKey,
  replaced?: ReplacedKey,
): Promise<IssuedKey> {
  const { environment } = wanted
  const text = makeKeyText(context.ids, issuer.keyPrefix, environment, actor.businessId)
  const key: ApiKey = {
    businessId: actor.businessId,
    id: context.ids.uuid(),
    service: issuer.name,
    environment,
    name: wanted.name,
    hint: keyHint(text),
    scopes: withImplied(issuer, wanted.scopes),
    allowedAddresses: wanted.allowedAddresses ?? [],
    createdBy: wanted.createdBy,
    createdAt: context.clock.now(),
    expiresAt: wanted.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    replacesId: replaced?.id ?? null,
  }
  await insertApiKey(tx, key, hashKeyText(text))
  await recordAct(tx, context, actor, {
    action: replaced ? 'api_key.rotate' : 'api_key.create',
    objectKind: 'api_key',
    objectId: key.id,
    detail: {
      service: issuer.name,
      environment,
      scopes: [...key.scopes],
      ...(replaced && { replaces: replaced.id, overlap_seconds: replaced.overlapSeconds }),
    },
  })
  return { ...key, text }
}

function withImplied(issuer: KeyIssuer, scopes: readonly string[]): string[] {
  const implied = scopes.flatMap((scope) => issuer.impliedScopes?.[scope] ?? [])
  const wanted = new Set([...scopes, ...implied])
  return issuer.scopes.filter((scope) => wanted.has(scope))
}
