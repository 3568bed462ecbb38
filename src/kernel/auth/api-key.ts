// An API key as text: prefix, environment, business, 32 random bytes, checksum.
//   svc_live_ + 22 base62 digits (business) + 43 base62 digits (secret) + 6 (CRC-32 of all before)
// The key contains the business, so that the lookup reads one row of one tenant. The checksum lets
// us refuse a mistyped or invented key without a query.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { decodeUuid, encodeBase62, encodeUuid, uuidDigits } from '../basics/base62.ts'
import type { Ids } from '../basics/id.ts'
import { type Environment, environments } from '../basics/tenant.ts'

export type ApiKey = {
  readonly businessId: string
  readonly id: string
  readonly service: string
  readonly environment: Environment
  readonly name: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly allowedAddresses: readonly string[]
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly replacesId: string | null
}

export type ParsedKey = {
  readonly prefix: string
  readonly environment: Environment
  readonly businessId: string
  readonly hash: Buffer
}

const secretDigits = 43
const checksumDigits = 6
const bodyDigits = uuidDigits + secretDigits + checksumDigits
const keyPattern = new RegExp(`^([a-z]+)_(live|test)_([0-9A-Za-z]{${bodyDigits}})$`)

// The form of keys, for error messages.
export function keyForm(prefix: string): string {
  const starts = environments.map((environment) => `${prefix}_${environment}_`)
  return `${starts.join(' or ')} and ${bodyDigits} letters and digits`
}

export function makeKeyText(
  ids: Ids,
  prefix: string,
  environment: Environment,
  businessId: string,
): string {
  const secret = encodeBase62(BigInt(`0x${ids.randomBytes(32).toString('hex')}`), secretDigits)
  const unchecked = `${prefix}_${environment}_${encodeUuid(businessId)}${secret}`
  return unchecked + checksum(unchecked)
}

export function parseKeyText(text: string): ParsedKey | undefined {
  const match = keyPattern.exec(text)
  const [, prefix, environment, body] = match ?? []
  if (!prefix || !body) return undefined
  if (checksum(text.slice(0, -checksumDigits)) !== text.slice(-checksumDigits)) return undefined
  const businessId = decodeUuid(body.slice(0, uuidDigits))
  if (businessId === undefined) return undefined
  return {
    prefix,
    environment: environments[environment === 'live' ? 0 : 1],
    businessId,
    hash: hashKeyText(text),
  }
}

export function hashKeyText(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function keyHint(text: string): string {
  return `${text.split('_', 2).join('_')}_…${text.slice(-4)}`
}

function checksum(text: string): string {
  return encodeBase62(BigInt(crc32(text)), checksumDigits)
}
