import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hashKeyText,
  keyHint,
  makeKeyText,
  parseKeyText,
} from '../../../src/kernel/auth/api-key.ts'
import type { Ids } from '../../../src/kernel/basics/id.ts'

const business = '01890a5d-ac96-774b-bcce-b302099a8057'

function idsFrom(bytes: Uint8Array): Ids {
  return { uuid: () => business, randomBytes: () => Buffer.from(bytes) }
}
const zeros = idsFrom(new Uint8Array(32))
const ones = idsFrom(new Uint8Array(32).fill(255))
const environment = fc.constantFrom('live', 'test')
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('the text of a key', () => {
  // covers: Two key environments exist: live keys and sandbox (test) keys
  // covers: 2. A key is either live (prefix
  it('is prefix, environment, business, secret and checksum, always of one length', () => {
    fc.assert(
      fc.property(fc.uuid(), bytes, environment, (id, random, env) => {
        const text = makeKeyText(idsFrom(random), 'svc', env, id)
        expect(text).toMatch(new RegExp(`^svc_${env}_[0-9A-Za-z]{71}$`))
      }),
    )
  })

  it('says again which business and environment it was made for', () => {
    fc.assert(
      fc.property(fc.uuid(), bytes, environment, (id, random, env) => {
        const text = makeKeyText(idsFrom(random), 'acct', env, id)
        expect(parseKeyText(text)).toEqual({
          prefix: 'acct',
          environment: env,
          businessId: id,
          hash: hashKeyText(text),
        })
      }),
    )
  })

  it.each([
    ['the smallest id', '00000000-0000-0000-0000-000000000000'],
    ['the largest id', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('holds %s with the smallest and the largest secret', (_, id) => {
    for (const ids of [zeros, ones]) {
      expect(parseKeyText(makeKeyText(ids, 'svc', 'live', id))?.businessId).toBe(id)
    }
  })

  it('keeps all 256 bits of the secret', () => {
    fc.assert(
      fc.property(bytes, fc.nat(255), (random, bit) => {
        const flipped = Uint8Array.from(random)
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const one = makeKeyText(idsFrom(random), 'svc', 'live', business)
        const other = makeKeyText(idsFrom(flipped), 'svc', 'live', business)
        expect(one.slice(0, -6)).not.toBe(other.slice(0, -6))
      }),
    )
  })

  it('ends with the CRC-32 of all before it, in six digits', () => {
    const text = makeKeyText(zeros, 'svc', 'live', business)
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    let value = 0
    for (const digit of text.slice(-6)) value = value * 62 + digits.indexOf(digit)
    expect(value).toBe(crc32(text.slice(0, -6)))
  })
})

describe('a text is refused', () => {
  const text = makeKeyText(ones, 'svc', 'live', business)

  it('when one character is another', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-'
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...digits), (at, digit) => {
        fc.pre(text[at] !== digit)
        expect(parseKeyText(text.slice(0, at) + digit + text.slice(at + 1))).toBeUndefined()
      }),
    )
  })

  it('when two neighbours change places', () => {
    for (let at = 9; at < text.length - 1; at += 1) {
      const [one, two] = [text[at], text[at + 1]]
      if (one === two) continue
      const swapped = `${text.slice(0, at)}${two}${one}${text.slice(at + 2)}`
      expect(parseKeyText(swapped)).toBeUndefined()
    }
  })

  it.each([
    ['empty', ''],
    ['cut short', text.slice(0, -1)],
    ['too long', `${text}0`],
    ['with a blank in front', ` ${text}`],
    ['with a line break at the end', `${text}\n`],
    ['of an unknown environment', text.replace('_live_', '_prod_')],
    ['without an environment', text.replace('_live_', '_')],
    ['in capitals', text.toUpperCase()],
  ])('when it is %s', (_, broken) => {
    expect(parseKeyText(broken)).toBeUndefined()
  })

  it('when its business is larger than a UUID can be, though the checksum is right', () => {
    const unchecked = `svc_live_${'z'.repeat(22)}${'0'.repeat(43)}`
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    let sum = crc32(unchecked)
    let checksum = ''
    for (let place = 0; place < 6; place += 1) {
      checksum = digits.charAt(sum % 62) + checksum
      sum = Math.floor(sum / 62)
    }
    expect(parseKeyText(unchecked + checksum)).toBeUndefined()
  })
})

describe('what is kept of a key', () => {
  const text = makeKeyText(ones, 'svc', 'test', business)

  it('is the SHA-256 of its whole text', () => {
    expect(hashKeyText(text)).toHaveLength(32)
    expect(hashKeyText(text)).not.toEqual(hashKeyText(text.replace('_test_', '_live_')))
  })

  it('is a hint of its prefix and last four characters', () => {
    expect(keyHint(text)).toBe(`svc_test_…${text.slice(-4)}`)
  })
})
