// Issuing, rotating and revoking API keys: the same functions serve the CLI and the application.
// The text of a key leaves this file once, when it is made; only its hash is kept.
import { parseRange } from '../basics/address.ts'
import { assert } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import { invalidField, notFound } from '../basics/fault.ts'
import { isOneLine } from '../basics/one-line.ts'
import type { Environment } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { type ApiKey, hashKeyText, keyHint, makeKeyText } from './api-key.ts'
import {
  insertApiKey,
  lockApiKey,
  updateApiKeyExpiry,
  updateApiKeyRevoked,
} from './api-key-store.ts'
import { type ActDetail, recordAct } from './audit-log.ts'

// What a service says about its keys: the prefix of their text and the scopes there are.
export type KeyIssuer = {
  readonly name: string
  readonly keyPrefix: string
  readonly scopes: readonly string[]
  // Scopes that come along with another one, for example read with write.
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>>
}

export type NewApiKey = {
  name: string
  environment: Environment
  scopes: readonly string[]
  allowedAddresses?: readonly string[]
  expiresAt?: Date | null
  // The person who answers for it: four eyes look at people, not at keys.
  createdBy: string
}

// The database holds to it too.
const nameMax = 100

export type IssuedKey = { key: ApiKey; text: string }

export async function createApiKey(
  tx: Tx,
  context: Context,
  actor: Actor,
  issuer: KeyIssuer,
  wanted: NewApiKey,
): Promise<IssuedKey> {
  check(context, issuer, wanted)
  const issued = await insertKey(tx, context, actor, issuer, wanted, null)
  await recordKeyAct(tx, context, actor, 'api_key.create', issued.key)
  return issued
}

// The new key works at once, the old one until the overlap ends, so that a running system can be
// moved over without a gap.
export async function rotateApiKey(
  tx: Tx,
  context: Context,
  actor: Actor,
  issuer: KeyIssuer,
  keyId: string,
  overlapSeconds: number,
): Promise<IssuedKey> {
  assert(overlapSeconds >= 0, 'an overlap cannot end before it begins')
  const old = await lockApiKey(tx, actor.businessId, keyId)
  const now = context.clock.now()
  if (!old || old.service !== issuer.name) throw notFound('API key')
  if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
    throw invalidField('id', 'The key is revoked or expired. Create a new one instead.')
  }
  const end = addSeconds(now, overlapSeconds)
  const oldEnd = old.expiresAt && old.expiresAt < end ? old.expiresAt : end
  await updateApiKeyExpiry(tx, actor.businessId, keyId, oldEnd)
  const issued = await insertKey(tx, context, actor, issuer, old, old.id)
  await recordKeyAct(tx, context, actor, 'api_key.rotate', issued.key, {
    replaces: old.id,
    overlap_seconds: overlapSeconds,
  })
  await recordAct(tx, context, actor, {
    action: 'api_key.set_expiry',
    objectKind: 'api_key',
    objectId: old.id,
    detail: {
      expires_at: oldEnd.toISOString(),
      expired_at_before: old.expiresAt?.toISOString() ?? null,
    },
  })
  return issued
}

export async function revokeApiKey(
  tx: Tx,
  context: Context,
  actor: Actor,
  keyId: string,
): Promise<void> {
  const key = await lockApiKey(tx, actor.businessId, keyId)
  if (!key) throw notFound('API key')
  if (key.revokedAt) return
  await updateApiKeyRevoked(tx, actor.businessId, keyId, context.clock.now())
  await recordAct(tx, context, actor, {
    action: 'api_key.revoke',
    objectKind: 'api_key',
    objectId: keyId,
  })
}

function check(context: Context, issuer: KeyIssuer, wanted: NewApiKey): void {
  const nameLength = [...wanted.name].length
  if (nameLength === 0 || nameLength > nameMax || !isOneLine(wanted.name)) {
    throw invalidField('name', `Write one line of at most ${nameMax} characters.`)
  }
  const unknown = wanted.scopes.filter((scope) => !issuer.scopes.includes(scope))
  if (unknown.length > 0) {
    throw invalidField(
      'scopes',
      `Unknown: ${unknown.join(', ')}. There are: ${issuer.scopes.join(', ')}.`,
    )
  }
  if (wanted.scopes.length === 0) throw invalidField('scopes', 'Name at least one scope.')
  for (const text of wanted.allowedAddresses ?? []) {
    if (!parseRange(text)) {
      throw invalidField('allowedAddresses', `${text} is no address or CIDR range.`)
    }
  }
  if (wanted.expiresAt && wanted.expiresAt <= context.clock.now()) {
    throw invalidField('expiresAt', 'The expiry lies in the past.')
  }
}

async function insertKey(
  tx: Tx,
  context: Context,
  actor: Actor,
  issuer: KeyIssuer,
  wanted: NewApiKey,
  replacesId: string | null,
): Promise<IssuedKey> {
  const text = makeKeyText(context.ids, issuer.keyPrefix, wanted.environment, actor.businessId)
  const key: ApiKey = {
    businessId: actor.businessId,
    id: context.ids.uuid(),
    service: issuer.name,
    environment: wanted.environment,
    name: wanted.name,
    hint: keyHint(text),
    scopes: withImplied(issuer, wanted.scopes),
    allowedAddresses: wanted.allowedAddresses ?? [],
    createdBy: wanted.createdBy,
    createdAt: context.clock.now(),
    expiresAt: wanted.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    replacesId,
  }
  await insertApiKey(tx, key, hashKeyText(text))
  return { key, text }
}

async function recordKeyAct(
  tx: Tx,
  context: Context,
  actor: Actor,
  action: string,
  { id, service, environment, scopes }: ApiKey,
  detail: ActDetail = {},
): Promise<void> {
  await recordAct(tx, context, actor, {
    action,
    objectKind: 'api_key',
    objectId: id,
    detail: { service, environment, scopes: [...scopes], ...detail },
  })
}

function withImplied(issuer: KeyIssuer, scopes: readonly string[]): string[] {
  const implied = scopes.flatMap((scope) => issuer.impliedScopes?.[scope] ?? [])
  const wanted = new Set([...scopes, ...implied])
  return issuer.scopes.filter((scope) => wanted.has(scope))
}
