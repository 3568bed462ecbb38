// Finds the client's address behind proxies. The address lists of API keys and the limit per
// address depend on it, so a header is trusted only as far as TRUST_PROXY says: everything left of
// the last trusted hop could be invented.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  isInRange,
  isTooWide,
  normaliseAddress,
  parseRange,
  type Range,
} from '../basics/address.ts'

export type TrustProxy =
  | { readonly kind: 'none' }
  // This many proxies, counted from us. Correct only if every request passes all of them.
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'ranges'; readonly ranges: readonly Range[] }

// Stands for a peer without an address (a Unix socket, or a connection that is already gone). It is
// in no range, and all such peers share one limit.
const unknownAddress = 'unknown'

// Reads the client's address of a request. Without a proxy, the address of a connection never
// changes, so it is read once.
export function addressReader(trust: TrustProxy): (request: IncomingMessage) => string {
  const known = new WeakMap<Socket, string>()
  return ({ socket, headers }) => {
    if (trust.kind !== 'none') {
      return clientAddress(socket.remoteAddress, headers['x-forwarded-for'], trust)
    }
    const seen = known.get(socket)
    if (seen !== undefined) return seen
    const address = clientAddress(socket.remoteAddress, undefined, trust)
    known.set(socket, address)
    return address
  }
}

// X-Forwarded-For is read from the right: each trusted hop vouches for the entry that it appended.
// An entry that is not an address ends the walk at the hop that wrote it. It is never skipped,
// since the caller could have invented the next one.
function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trust: TrustProxy,
): string {
  let client = peerAddress(remoteAddress)
  if (trust.kind === 'none' || !forwardedFor?.length) return client
  const entries = forwardedFor.toString().split(',')
  for (let hop = 1; isTrusted(trust, client, hop); hop += 1) {
    const forwarded = parseEntry(entries.pop())
    if (forwarded === undefined) return client
    client = forwarded
  }
  return client
}

// No proxy, a number of proxies, or ranges separated by commas. No value can mean everyone, and no
// range can be so wide that a few of them cover everyone, because then any caller could choose its
// own address.
const hopsMax = 10

export function parseTrustProxy(text: string): TrustProxy | undefined {
  const setting = text.trim()
  if (setting === '' || setting === 'none') return { kind: 'none' }
  if (/^\d+$/.test(setting)) {
    const hops = Number.parseInt(setting, 10)
    if (hops > hopsMax) return undefined
    return hops === 0 ? { kind: 'none' } : { kind: 'hops', hops }
  }
  const ranges: Range[] = []
  for (const entry of setting.split(',')) {
    const range = parseRange(entry.trim())
    if (range === undefined || isTooWide(range)) return undefined
    ranges.push(range)
  }
  return { kind: 'ranges', ranges }
}

function isTrusted(trust: TrustProxy, address: string, hop: number): boolean {
  if (trust.kind === 'hops') return hop <= trust.hops
  return trust.kind === 'ranges' && trust.ranges.some((range) => isInRange(address, range))
}

function peerAddress(remoteAddress: string | undefined): string {
  // The socket shows a link-local peer with its interface, as in `fe80::1%eth0`.
  const [address = ''] = (remoteAddress ?? '').split('%')
  return normaliseAddress(address) ?? unknownAddress
}

// Some proxies append the port, and must then put IPv6 into brackets.
const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/
const withPort = /^([\d.]+):\d{1,5}$/

function parseEntry(entry: string | undefined): string | undefined {
  if (entry === undefined) return undefined
  const text = entry.trim()
  const inBrackets = bracketed.exec(text)?.[1]
  if (inBrackets !== undefined) {
    return inBrackets.includes(':') ? normaliseAddress(inBrackets) : undefined
  }
  return normaliseAddress(withPort.exec(text)?.[1] ?? text)
}
