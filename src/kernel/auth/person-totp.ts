// Time-based one-time codes (RFC 6238: SHA-1, six digits, thirty seconds), as in authenticator
// apps. better-auth checks a code too, but does not remember that it was used. This file finds the
// time step of a code, so that the step can be marked as used.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ids } from '../basics/id.ts'

const stepSeconds = 30
const digits = 6
// A phone's clock may be one step off; better-auth accepts the same.
const stepsAround = [-1, 0, 1]

export function findTotpStep(seed: string, code: string, now: Date): number | undefined {
  const step = Math.floor(now.getTime() / (stepSeconds * 1000))
  // Every candidate is compared, so that the time taken does not reveal which one matched.
  return stepsAround
    .map((offset) => step + offset)
    .filter((candidate) => equal(totpCode(seed, candidate), code))
    .at(-1)
}

// better-auth takes a seed as text and uses its bytes as the key.
export function makeTotpSeed(ids: Ids): string {
  return ids.randomBytes(24).toString('base64url')
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

// The seed in the form that authenticator apps read.
export function totpSecretText(seed: string): string {
  const bits = [...Buffer.from(seed)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups
    .map((group) => base32Alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('')
}

// The secret as a link that authenticator apps open or scan.
export function otpauthUrl(email: string, totpSecret: string): string {
  return `otpauth://totp/Tillbook:${encodeURI(email)}?secret=${totpSecret}&issuer=Tillbook`
}

const backupCodeCount = 10
// Crockford's letters, none of which can be mistaken for another on paper.
const backupCodeAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export function makeBackupCodes(ids: Ids): string[] {
  return Array.from({ length: backupCodeCount }, () => {
    const letters = [...ids.randomBytes(10)].map((byte) => backupCodeAlphabet.charAt(byte & 31))
    return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
  })
}

function totpCode(seed: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', seed).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

function equal(expected: string, actual: string): boolean {
  const left = Buffer.from(expected)
  const right = Buffer.from(actual)
  return left.length === right.length && timingSafeEqual(left, right)
}
