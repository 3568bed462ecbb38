import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  addressReader,
  parseTrustProxy,
  type TrustProxy,
} from '../../../src/kernel/http/client-address.ts'

function trust(text: string): TrustProxy {
  const parsed = parseTrustProxy(text)
  if (parsed === undefined) throw new Error(`${text} was refused`)
  return parsed
}

// A request as far as its address goes.
function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: TrustProxy,
): string {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } }
  return addressReader(trusted)(request as unknown as IncomingMessage)
}

const proxy = '10.0.0.1'

describe('without a trusted proxy', () => {
  test('the caller is the peer, whatever the header claims', () => {
    expect(clientAddress('192.0.2.1', '198.51.100.1', trust(''))).toBe('192.0.2.1')
    expect(clientAddress('192.0.2.1', '198.51.100.1', trust('none'))).toBe('192.0.2.1')
    expect(clientAddress('192.0.2.1', '198.51.100.1', trust('0'))).toBe('192.0.2.1')
  })

  test.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [undefined, 'unknown'],
    ['', 'unknown'],
  ])('the peer %s is called %s', (peer, expected) => {
    expect(clientAddress(peer, undefined, trust(''))).toBe(expected)
  })
})

describe('with a number of trusted proxies', () => {
  test.each([
    ['1', '198.51.100.1', '198.51.100.1'],
    ['1', 'spoofed, 203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['2', '203.0.113.9, 198.51.100.1', '203.0.113.9'],
    ['2', '192.0.2.66, 203.0.113.9, 198.51.100.1', '203.0.113.9'],
    ['2', '198.51.100.1', '198.51.100.1'],
    ['2', undefined, proxy],
    ['2', '', proxy],
  ])('%s of them and the header %s, the caller is %s', (hops, header, expected) => {
    expect(clientAddress(proxy, header, trust(hops))).toBe(expected)
  })

  test('a proxy on a Unix socket counts as one', () => {
    expect(clientAddress(undefined, '203.0.113.9, 198.51.100.1', trust('1'))).toBe('198.51.100.1')
  })
})

describe('with trusted ranges', () => {
  const ranges = trust('10.0.0.0/8, 2001:db8::/32')

  test('a peer outside of them is the caller itself', () => {
    expect(clientAddress('192.0.2.1', '198.51.100.1', ranges)).toBe('192.0.2.1')
    expect(clientAddress(undefined, '198.51.100.1', ranges)).toBe('unknown')
  })

  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['192.0.2.66, 198.51.100.1', '198.51.100.1'],
    ['192.0.2.66, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['10.9.9.9, 198.51.100.1, 2001:db8::5', '198.51.100.1'],
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [undefined, proxy],
  ])('and the header %s, the caller is %s', (header, expected) => {
    expect(clientAddress(proxy, header, ranges)).toBe(expected)
  })

  test('a proxy that the socket shows as mapped IPv4 is recognised', () => {
    expect(clientAddress('::ffff:10.0.0.1', '198.51.100.1', ranges)).toBe('198.51.100.1')
  })

  test('a header sent in several lines is read as one list', () => {
    const lines = ['192.0.2.66', '198.51.100.1, 10.0.0.2']
    expect(clientAddress(proxy, lines, ranges)).toBe('198.51.100.1')
  })
})

describe('an entry of the header', () => {
  test.each([
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:DB8::7', '2001:db8::7'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['[::ffff:198.51.100.1]:80', '198.51.100.1'],
    ['\t198.51.100.1  ', '198.51.100.1'],
  ])('may be written %j', (entry, expected) => {
    expect(clientAddress(proxy, `192.0.2.66, ${entry}`, trust('1'))).toBe(expected)
  })

  test.each([
    'unknown',
    '_hidden',
    '',
    '198.51.100',
    '198.51.100.1:',
    '198.51.100.1:123456',
    '198.51.100.1:80:80',
    '[198.51.100.1]:80',
    '[2001:db8::7',
    '[2001:db8::7]x',
    'fe80::1%eth0',
    '"198.51.100.1"',
    'for=198.51.100.1',
  ])('that reads %j ends the walk at the hop that wrote it', (entry) => {
    expect(clientAddress(proxy, `192.0.2.66, ${entry}`, trust('2'))).toBe(proxy)
    expect(clientAddress(proxy, `192.0.2.66, ${entry}, 10.0.0.2`, trust('3'))).toBe('10.0.0.2')
    expect(clientAddress(proxy, `192.0.2.66, ${entry}, 10.0.0.2`, trust('10.0.0.0/8'))).toBe(
      '10.0.0.2',
    )
  })
})

describe('the setting', () => {
  test.each([
    'true',
    'all',
    '*',
    '-1',
    '1.5',
    '11',
    '10.0.0.1/8',
    '10.0.0.0/8,',
    '10.0.0.0/8 10.1.0.0/16',
    '0.0.0.0/0',
    '::/0',
    '::ffff:0.0.0.0/96',
    '0.0.0.0/1,128.0.0.0/1',
    '2000::/3',
  ])('%j is refused', (text) => {
    expect(parseTrustProxy(text)).toBeUndefined()
  })

  test('names no proxy, a number of them, or ranges', () => {
    expect(trust(' none ')).toEqual({ kind: 'none' })
    expect(trust('2')).toEqual({ kind: 'hops', hops: 2 })
    expect(trust('127.0.0.1')).toMatchObject({ kind: 'ranges' })
    expect(trust('10.0.0.0/8, fc00::/7')).toMatchObject({ kind: 'ranges' })
  })
})
