import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isInRange,
  maskIPv6,
  normaliseAddress,
  parseRange,
  type Range,
} from '../../../src/kernel/basics/address.ts'

function range(text: string): Range {
  const parsed = parseRange(text)
  if (parsed === undefined) throw new Error(`${text} was refused`)
  return parsed
}

const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), {
  minLength: 8,
  maxLength: 8,
})
const ipv6 = groups.map((list) => list.map((group) => group.toString(16)).join(':'))

describe('an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:255.255.255.255', '255.255.255.255'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::0:1:0:0', '2001:db8::1:0:0'],
    ['2001:0:0:1::1', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['::192.0.2.1', '::c000:201'],
  ])('%s has the one spelling %s', (text, expected) => {
    expect(normaliseAddress(text)).toBe(expected)
  })

  test.each([
    '',
    ' 192.0.2.1',
    '192.0.2.1 ',
    '192.0.2.1\n',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '0xc0.0.2.1',
    '3221225985',
    '192.0.2.1.5',
    '192.0.2.1/32',
    '1:2:3:4:5:6:7',
    '1::2::3',
    ':::',
    'fe80::1%eth0',
    '[::1]',
    '12345::',
    '::ffff:192.0.2.256',
    'localhost',
  ])('%j is none', (text) => {
    expect(normaliseAddress(text)).toBeUndefined()
  })

  test('of IPv6 is spelled as URLs spell it, unless it is IPv4 in disguise', () => {
    fc.assert(
      fc.property(ipv6, (text) => {
        const expected = new URL(`http://[${text}]`).hostname.slice(1, -1)
        fc.pre(!expected.startsWith('::ffff:'))
        expect(normaliseAddress(text)).toBe(expected)
      }),
    )
  })

  test('is recognised exactly where the operating system recognises one', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0125af:.%'), maxLength: 20 })
    fc.assert(
      fc.property(text, (candidate) => {
        expect(normaliseAddress(candidate) !== undefined).toBe(
          isIP(candidate) !== 0 && !candidate.includes('%'),
        )
      }),
    )
  })

  test('of IPv6 is masked to a prefix, and one of IPv4 is left whole', () => {
    expect(maskIPv6('2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 64)).toBe('2001:db8:ffff:ffff::')
    expect(maskIPv6('2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 47)).toBe('2001:db8:fffe::')
    expect(maskIPv6('::ffff:192.0.2.1', 64)).toBe('192.0.2.1')
    expect(maskIPv6('192.0.2.1', 64)).toBe('192.0.2.1')
    expect(maskIPv6('no-one', 64)).toBeUndefined()
  })
})

describe('a range', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', 'a00::', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.6', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '192.0.2.1', false],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
    ['::ffff:10.0.0.0/104', '11.0.0.0', false],
    ['::ffff:192.0.2.7', '192.0.2.7', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['2001:db8:0:8000::/49', '2001:db8:0:8001::1', true],
    ['2001:db8:0:8000::/49', '2001:db8:0:7fff::1', false],
    ['2001:db8::1', '2001:db8::1', true],
    ['2001:db8::1', '2001:db8::2', false],
    ['10.0.0.0/8', '10.0.0.1 ', false],
    ['0.0.0.0/0', 'unknown', false],
  ])('%s holds %s: %s', (text, address, expected) => {
    expect(isInRange(address, range(text))).toBe(expected)
  })

  test.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10/8',
    '2001:db8::/129',
    '2001:db8::/1e1',
    'fe80::%eth0/64',
    'everyone',
  ])('%j is none', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })

  test.each([
    '10.0.0.1/8',
    '10.0.0.1/31',
    '0.0.0.1/0',
    '2001:db8::1/64',
    '2001:db8:0:0:8000::/64',
    '::ffff:10.0.0.0/90',
  ])('%s is refused, for it may mean the host or the network', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })

  test('of IPv4 agrees with Node on who is inside', () => {
    const word = fc.integer({ min: 0, max: 0xffffffff })
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 32 }), (base, near, length) => {
        const size = 2 ** (32 - length)
        const network = Math.floor(base / size) * size
        // Half of the addresses are drawn from the network itself, or none would be inside.
        const inside = network + (near % size)
        const list = new BlockList()
        list.addSubnet(dotted(network), length)
        for (const address of [dotted(near), dotted(inside)]) {
          expect(isInRange(address, range(`${dotted(network)}/${length}`))).toBe(
            list.check(address),
          )
        }
      }),
    )
  })

  test('of IPv6 agrees with Node on who is inside', () => {
    fc.assert(
      fc.property(ipv6, ipv6, fc.integer({ min: 0, max: 128 }), (base, other, length) => {
        fc.pre(![base, other].some((text) => normaliseAddress(text)?.includes('.')))
        const network = maskIPv6(base, length) ?? ''
        const list = new BlockList()
        list.addSubnet(network, length, 'ipv6')
        for (const address of [base, other]) {
          expect(isInRange(address, range(`${network}/${length}`))).toBe(
            list.check(address, 'ipv6'),
          )
        }
      }),
    )
  })
})

function dotted(word: number): string {
  return [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff).join('.')
}
