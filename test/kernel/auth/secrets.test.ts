import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createSecrets,
  parseSecretsRing,
  SecretsError,
  type SecretsKey,
} from '../../../src/kernel/auth/secrets.ts'
import { checkSecretsCanary } from '../../../src/kernel/auth/secrets-store.ts'
import { databaseForThisTest } from '../../support/database.ts'

const newKey = (version: number): SecretsKey => ({ version, key: randomBytes(32) })
const [first, second] = [newKey(1), newKey(2)]
const row = 'merchant.settlement_accounts/1'

describe('a sealed secret', () => {
  it('opens to what was sealed, text or bytes, of any length', () => {
    const secrets = createSecrets([first])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, name) => {
        const sealed = secrets.seal(Buffer.from(bytes), name)
        expect(secrets.open(sealed, name)).toEqual(Buffer.from(bytes))
      }),
    )
    expect(secrets.open(secrets.seal('0690000040', row), row).toString()).toBe('0690000040')
  })

  it('shows nothing of its text, and differs each time', () => {
    const secrets = createSecrets([first])
    const [one, two] = [secrets.seal('0690000040', row), secrets.seal('0690000040', row)]
    expect(one.equals(two)).toBe(false)
    expect(one.toString('latin1')).not.toContain('0690000040')
  })

  it('does not open in another row', () => {
    const secrets = createSecrets([first])
    const sealed = secrets.seal('text', row)
    expect(() => secrets.open(sealed, 'merchant.settlement_accounts/2')).toThrow(SecretsError)
  })

  it('does not open with another key of the same version', () => {
    const sealed = createSecrets([first]).seal('text', row)
    expect(() => createSecrets([newKey(1)]).open(sealed, row)).toThrow(SecretsError)
  })

  it('does not open when any of its bits was changed', () => {
    const secrets = createSecrets([first])
    const sealed = secrets.seal('text', row)
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => secrets.open(changed, row)).toThrow(SecretsError)
    }
  })

  it('does not open when it was cut, wherever, or is empty', () => {
    const secrets = createSecrets([first])
    const sealed = secrets.seal('text', row)
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => secrets.open(sealed.subarray(0, length), row)).toThrow(SecretsError)
    }
  })
})

describe('a ring', () => {
  it('opens what older keys sealed, and seals with the newest', () => {
    const old = createSecrets([first])
    const ring = createSecrets([second, first])
    expect(ring.open(old.seal('text', row), row).toString()).toBe('text')
    const sealed = ring.seal('text', row)
    expect(createSecrets([second]).open(sealed, row).toString()).toBe('text')
    expect(() => old.open(sealed, row)).toThrow('no secrets key has version 2')
  })

  it('must not have one version twice', () => {
    expect(() => createSecrets([first, newKey(1)])).toThrow('share a version')
  })

  it('derives a key for each purpose, which lasts as long as the first key', () => {
    const one = createSecrets([first]).derive('cookies')
    expect(one).toHaveLength(32)
    expect(createSecrets([first, second]).derive('cookies')).toEqual(one)
    expect(createSecrets([first]).derive('totp')).not.toEqual(one)
    expect(createSecrets([second, first]).derive('cookies')).not.toEqual(one)
    expect(one.equals(first.key)).toBe(false)
  })
})

describe('the text of a ring', () => {
  const base64 = Buffer.alloc(32, 7).toString('base64')
  const hex = Buffer.alloc(32, 9).toString('hex')

  it('is one key, or several with their versions, in base64 or hex', () => {
    expect(parseSecretsRing(base64)).toEqual([{ version: 1, key: Buffer.alloc(32, 7) }])
    expect(parseSecretsRing(hex)).toEqual([{ version: 1, key: Buffer.alloc(32, 9) }])
    expect(parseSecretsRing(`2:${hex}, 1:${base64}`)).toEqual([
      { version: 2, key: Buffer.alloc(32, 9) },
      { version: 1, key: Buffer.alloc(32, 7) },
    ])
  })

  it.each([
    ['empty', ''],
    ['too short', Buffer.alloc(31).toString('base64')],
    ['too long', Buffer.alloc(33).toString('base64')],
    ['a password', 'correct horse battery staple'],
    ['of one version twice', `1:${base64},1:${hex}`],
    ['of one version twice, once unsaid', `${base64},1:${hex}`],
    ['of version 0', `0:${base64}`],
    ['of version 256', `256:${base64}`],
    ['with nothing after a comma', `${base64},`],
  ])('is refused when it is %s', (_, text) => {
    expect(parseSecretsRing(text)).toBeUndefined()
  })
})

describe('the canary', () => {
  it('is made by the first start and opened by every later one', async () => {
    const { sql } = await databaseForThisTest()
    const secrets = createSecrets([first])
    await checkSecretsCanary(sql, secrets)
    await checkSecretsCanary(sql, secrets)
    await checkSecretsCanary(sql, createSecrets([second, first]))
    const rows = await sql`select sealed from kernel.secrets_canary`
    expect(rows).toHaveLength(1)
  })

  it('stops a start with another key, and stays as it was', async () => {
    const { sql } = await databaseForThisTest()
    await checkSecretsCanary(sql, createSecrets([first]))
    await expect(checkSecretsCanary(sql, createSecrets([newKey(1)]))).rejects.toThrow(SecretsError)
    await expect(checkSecretsCanary(sql, createSecrets([second]))).rejects.toThrow(SecretsError)
    await checkSecretsCanary(sql, createSecrets([first]))
  })

  it('is one when many start at once', async () => {
    const { sql } = await databaseForThisTest()
    const secrets = createSecrets([first])
    await Promise.all(Array.from({ length: 8 }, () => checkSecretsCanary(sql, secrets)))
    expect(await sql`select id from kernel.secrets_canary`).toHaveLength(1)
  })
})
