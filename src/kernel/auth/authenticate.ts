// From an `Authorization` header to an actor. Errors that the header alone shows are explained: no
// key, a mistyped key, a key of another service. Everything that only the database knows is the
// same Fault, so that a caller can't find out whether a key exists, was revoked or is used from the
// wrong address.
//
// A row is cached for less than a second, so that a busy key does not need a query per request,
// while a revoked one stops working within a second.
import { isInRange, parseRange, type Range } from '../basics/address.ts'
import { authenticationFailed } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import type { KeyActor } from './actor.ts'
import { type ApiKey, keyForm, type ParsedKey, parseKeyText } from './api-key.ts'
import { findApiKeyByHash, updateApiKeyLastUsed } from './api-key-store.ts'
import type { KeyIssuer } from './issue-api-key.ts'

export type Authenticator = {
  authenticate(
    issuer: KeyIssuer,
    authorization: string | undefined,
    address: string,
  ): Promise<KeyActor>
  // Writes when the keys were last used. Called about once a minute and when the service stops.
  flushLastUsed(): Promise<void>
}

type KnownKey = { row: ApiKey; actor: KeyActor; ranges: Range[]; readAtMs: number }

const cacheMs = 900
const cacheEntriesMax = 10_000
const bearerPattern = /^Bearer (\S+)$/i

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
    // Clearing everything is simple, and costs one read per busy key.
    if (known.size >= cacheEntriesMax) known.clear()
    known.set(text, entry)
    return entry
  }

  return {
    async authenticate(issuer, authorization, address) {
      const text = keyTextOf(authorization)
      const now = context.clock.now()
      const nowMs = now.getTime()
      let entry = known.get(text)
      const isFresh = entry !== undefined && Math.abs(nowMs - entry.readAtMs) < cacheMs
      if (!isFresh || entry?.row.service !== issuer.name) {
        known.delete(text)
        entry = await find(parsedKey(issuer, text), text, nowMs)
      }
      if (!entry || !isUsable(entry, issuer, address, now)) {
        throw authenticationFailed(
          'The API key is unknown, revoked or expired, or not allowed from this address.',
        )
      }
      lastUsed.set(entry.row.id, { row: entry.row, usedAt: now })
      return entry.actor
    },
    async flushLastUsed() {
      for (const [id, used] of [...lastUsed]) {
        const { row, usedAt } = used
        await updateApiKeyLastUsed(context.database.sql, row.businessId, row.id, usedAt)
        // Deletes only what was written, unless the key was used again meanwhile.
        if (lastUsed.get(id) === used) lastUsed.delete(id)
      }
    },
  }
}

function keyTextOf(authorization: string | undefined): string {
  if (!authorization) {
    throw authenticationFailed('No API key was sent. Send it as `Authorization: Bearer <key>`.')
  }
  const text = bearerPattern.exec(authorization)?.[1]
  if (text) return text
  throw authenticationFailed('The header must read `Authorization: Bearer <key>`.')
}

function parsedKey({ keyPrefix }: KeyIssuer, text: string): ParsedKey {
  const parsed = parseKeyText(text)
  if (!parsed) {
    throw authenticationFailed(
      `The API key is incomplete or mistyped. Keys of this service are ${keyForm(keyPrefix)}.`,
    )
  }
  if (parsed.prefix === keyPrefix) return parsed
  throw authenticationFailed(
    `The API key is for another service. Keys of this one are ${keyForm(keyPrefix)}.`,
  )
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
