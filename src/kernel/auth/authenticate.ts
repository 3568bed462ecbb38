// From an `Authorization` header to an actor. Every refusal is the same Fault, so that a caller
// cannot learn whether a key exists, was revoked or is used from the wrong place.
//
// A row that was read stays good for less than a second, so that a busy key doesn't cost a query
// per request while a revoked one is still dead within a second of its revocation.
import { isInRange, parseRange, type Range } from '../basics/address.ts'
import { authenticationFailed } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import type { KeyActor } from './actor.ts'
import { type ApiKey, type ParsedKey, parseKeyText } from './api-key.ts'
import { findApiKeyByHash, updateApiKeyLastUsed } from './api-key-store.ts'
import type { KeyIssuer } from './manage-api-keys.ts'

export type Authenticator = {
  authenticate(
    issuer: KeyIssuer,
    authorization: string | undefined,
    address: string,
  ): Promise<KeyActor>
  // Writes when the keys were last used; called about once a minute and when the service stops.
  flushLastUsed(): Promise<void>
}

type KnownKey = { row: ApiKey; actor: KeyActor; ranges: Range[]; readAtMs: number }

const cacheMs = 900
const cacheEntriesMax = 10_000
const bearerPattern = /^Bearer ([\x21-\x7e]+)$/i

export function createAuthenticator(context: Context): Authenticator {
  const known = new Map<string, KnownKey>()
  const lastUsed = new Map<string, { row: ApiKey; usedAt: Date }>()

  async function find(
    parsed: ParsedKey,
    text: string,
    nowMs: number,
  ): Promise<KnownKey | undefined> {
    const row = await findApiKeyByHash(context.database.sql, parsed.businessId, parsed.hash)
    if (!row) return undefined
    const entry = { row, actor: keyActor(row), ranges: ranges(row), readAtMs: nowMs }
    // Forgetting all at once is simple, and costs one read per busy key.
    if (known.size >= cacheEntriesMax) known.clear()
    known.set(text, entry)
    return entry
  }

  return {
    async authenticate(issuer, authorization, address) {
      const text = bearerPattern.exec(authorization ?? '')?.[1]
      if (!text) throw authenticationFailed()
      const now = context.clock.now()
      const nowMs = now.getTime()
      let entry = known.get(text)
      if (!entry || Math.abs(nowMs - entry.readAtMs) >= cacheMs) {
        known.delete(text)
        const parsed = parseKeyText(text)
        if (parsed?.prefix !== issuer.keyPrefix) throw authenticationFailed()
        entry = await find(parsed, text, nowMs)
      }
      if (!entry || !isUsable(entry, issuer, address, now)) throw authenticationFailed()
      lastUsed.set(entry.row.id, { row: entry.row, usedAt: now })
      return entry.actor
    },
    async flushLastUsed() {
      for (const [id, used] of [...lastUsed]) {
        const { row, usedAt } = used
        await updateApiKeyLastUsed(context.database.sql, row.businessId, row.id, usedAt)
        // Only what was written is forgotten, and not when the key was used again meanwhile.
        if (lastUsed.get(id) === used) lastUsed.delete(id)
      }
    },
  }
}

function isUsable(entry: KnownKey, issuer: KeyIssuer, address: string, now: Date): boolean {
  const { row, ranges: allowed } = entry
  if (row.service !== issuer.name || row.revokedAt) return false
  if (row.expiresAt && row.expiresAt <= now) return false
  return allowed.length === 0 || allowed.some((range) => isInRange(address, range))
}

function keyActor(row: ApiKey): KeyActor {
  return {
    kind: 'key',
    businessId: row.businessId,
    environment: row.environment,
    keyId: row.id,
    createdBy: row.createdBy,
    scopes: new Set(row.scopes),
  }
}

function ranges(row: ApiKey): Range[] {
  return row.allowedAddresses.map((text) => {
    const range = parseRange(text)
    if (!range) throw new Error(`the API key ${row.id} has an unreadable address range`)
    return range
  })
}
