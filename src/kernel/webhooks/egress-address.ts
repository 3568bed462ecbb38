// Decides which addresses are public. Webhooks go to addresses that businesses choose, from inside
// the operator's network, so every address that is not certainly on the public internet is refused.
import { addressWords, isInRange, isTooWide, parseRange, type Range } from '../basics/address.ts'
import { assertDefined } from '../basics/assert.ts'

const nonPublicIPv4 = ranges([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Public according to the registry, but used inside clouds for their own services: Azure's host,
  // with the settings and keys of machines, and IBM's internal services.
  ...['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'],
])

// Global unicast, which is all that the internet routes, except its special-purpose ranges.
const publicIPv6 = ranges(['2000::/3'])
const nonPublicIPv6 = ranges(['2001::/23', '2001:db8::/32', '3fff::/20'])

// Addresses that contain an IPv4 address, to which the packets finally go.
const nat64 = ranges(['64:ff9b::/96'])
const sixToFour = ranges(['2002::/16'])

export function isPublicAddress(address: string): boolean {
  const words = addressWords(address)
  if (words === undefined) return false
  const [first = 0, second = 0, , last = 0] = words
  if (words.length === 1) return !isIn(address, nonPublicIPv4)
  // Mapped (`::ffff:0:0/96`) and compatible (`::/96`) addresses don't exist on the network.
  if (first === 0 && second === 0) return false
  if (isIn(address, nat64)) return isPublicAddress(dotted(last))
  if (isIn(address, sixToFour)) {
    return isPublicAddress(dotted(((first & 0xffff) * 0x10000 + (second >>> 16)) >>> 0))
  }
  return isIn(address, publicIPv6) && !isIn(address, nonPublicIPv6)
}

// Exceptions set by the operator: exact names, addresses and ranges.
export type Allowed = { readonly hosts: ReadonlySet<string>; readonly ranges: readonly Range[] }

export const nothingAllowed: Allowed = { hosts: new Set(), ranges: [] }

// Undefined if a part is none of these, or is a range that allows everything.
export function parseAllowed(text: string): Allowed | undefined {
  const hosts = new Set<string>()
  const allowed: Range[] = []
  for (const part of text.split(',').map((one) => one.trim().toLowerCase())) {
    const range = parseRange(part)
    if (range && isTooWide(range)) return undefined
    if (range) allowed.push(range)
    else if (/^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(part)) hosts.add(part)
    else return undefined
  }
  return { hosts, ranges: allowed }
}

export function isAllowedAddress(address: string, allowed: Allowed): boolean {
  return isPublicAddress(address) || isIn(address, allowed.ranges)
}

function isIn(address: string, list: readonly Range[]): boolean {
  return list.some((range) => isInRange(address, range))
}

function ranges(texts: readonly string[]): Range[] {
  return texts.map((text) => assertDefined(parseRange(text), `${text} is not a range`))
}

function dotted(word: number): string {
  return [word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff].join('.')
}
