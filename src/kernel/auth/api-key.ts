// An API key as text: prefix, environment, the business it belongs to, 32 random bytes, checksum.
//   svc_live_ + 22 base62 digits (business) + 43 base62 digits (secret) + 6 (CRC-32 of all before)
// The business comes along so that the look-up is one row of one tenant, wherever that tenant
// lives; the checksum lets a mistyped or invented key be refused without asking the database.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
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
  readonly createdBy: string | null
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

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const businessDigits = 22
const secretDigits = 43
const checksumDigits = 6
const bodyDigits = businessDigits + secretDigits + checksumDigits
const keyPattern = new RegExp(`^([a-z]+)_(live|test)_([0-9A-Za-z]{${bodyDigits}})$`)

export function makeKeyText(
  ids: Ids,
  prefix: string,
  environment: Environment,
  businessId: string,
): string {
  const business = encodeBase62(BigInt(`0x${businessId.replaceAll('-', '')}`), businessDigits)
  const secret = encodeBase62(BigInt(`0x${ids.randomBytes(32).toString('hex')}`), secretDigits)
  const unchecked = `${prefix}_${environment}_${business}${secret}`
  return unchecked + checksum(unchecked)
}

export function parseKeyText(text: string): ParsedKey | undefined {
  const match = keyPattern.exec(text)
  const [, prefix, environment, body] = match ?? []
  if (!prefix || !body) return undefined
  if (checksum(text.slice(0, -checksumDigits)) !== text.slice(-checksumDigits)) return undefined
  const business = decodeBase62(body.slice(0, businessDigits))
  const hex = business.toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return {
    prefix,
    environment: environments[environment === 'live' ? 0 : 1],
    businessId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
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

function encodeBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) {
    text = digits.charAt(Number(rest % 62n)) + text
  }
  return text
}

function decodeBase62(text: string): bigint {
  let value = 0n
  for (const digit of text) value = value * 62n + BigInt(digits.indexOf(digit))
  return value
}
