// Secrets at rest: AES-256-GCM with a ring of versioned keys. The first key of the ring encrypts;
// every key decrypts, so a key is changed by putting a new one in front. The row of a secret is
// associated data, so an encrypted value copied to another row does not open.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { assert } from '../basics/assert.ts'

export type SecretsKey = { version: number; key: Buffer }

export type Secrets = {
  // Of the key that encrypts.
  readonly version: number
  seal(plaintext: string | Buffer, row: string): Buffer
  open(sealed: Buffer, row: string): Buffer
  // A separate key for another purpose, which stays the same as long as the first key does.
  derive(purpose: string): Buffer
}

// The associated data of the kernel's own secrets.
export const canaryRow = 'kernel.secrets_canary/1'
export const peopleSecretRow = 'kernel.people_secrets/1'

const ivBytes = 12
const tagBytes = 16
const keyBytes = 32

export function createSecrets(ring: readonly [SecretsKey, ...SecretsKey[]]): Secrets {
  // As key objects: importing a key takes most of the time of opening a secret.
  const keys = new Map(ring.map(({ version, key }) => [version, createSecretKey(key)]))
  assert(keys.size === ring.length, 'two secrets keys share a version')
  const [first] = ring
  return {
    version: first.version,
    seal(plaintext, row) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', first.key, iv)
      cipher.setAAD(Buffer.from(row))
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return Buffer.concat([Buffer.of(first.version), iv, cipher.getAuthTag(), body])
    },
    open(sealed, row) {
      if (sealed.length < 1 + ivBytes + tagBytes) throw new SecretsError('the secret was cut')
      const key = keys.get(sealed.readUInt8(0))
      if (!key) throw new SecretsError(`no secrets key has version ${sealed.readUInt8(0)}`)
      const iv = sealed.subarray(1, 1 + ivBytes)
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(row))
      decipher.setAuthTag(tag)
      try {
        return Buffer.concat([
          decipher.update(sealed.subarray(1 + ivBytes + tagBytes)),
          decipher.final(),
        ])
      } catch (error) {
        throw new SecretsError('the secret cannot be opened with this key', { cause: error })
      }
    },
    derive: (purpose) =>
      Buffer.from(hkdfSync('sha256', first.key, Buffer.alloc(0), purpose, keyBytes)),
  }
}

export class SecretsError extends Error {
  override readonly name = 'SecretsError'
}

// The text form of a ring: `2:BASE64,1:BASE64`, or a single key, which is version 1.
export function parseSecretsRing(text: string): [SecretsKey, ...SecretsKey[]] | undefined {
  const ring: SecretsKey[] = []
  for (const part of text.split(',')) {
    const match = /^(?:(\d{1,3}):)?([0-9A-Za-z+/=_-]+)$/.exec(part.trim())
    if (!match?.[2]) return undefined
    const version = Number(match[1] ?? '1')
    const key = decodeKey(match[2])
    if (!key || version < 1 || version > 255) return undefined
    if (ring.some((known) => known.version === version)) return undefined
    ring.push({ version, key })
  }
  const [first, ...rest] = ring
  return first ? [first, ...rest] : undefined
}

// A key that is not random: a repeated or counting pattern, or typed text. Of 32 random bytes about
// 30 differ, and so do their distances. Fewer than 16 occur less than once in 10^20 keys, and only
// printable characters once in 10^13.
export function isWeakKey(key: Buffer): boolean {
  const bytes = [...key]
  const distances = bytes.map((byte, index) => (byte - (bytes[index - 1] ?? 0) + 256) % 256)
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  return isText || [bytes, distances].some((values) => new Set(values).size < distinctMin)
}

const distinctMin = 16

function decodeKey(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === keyBytes ? key : undefined
}
