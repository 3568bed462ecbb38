// IP addresses and CIDR ranges, for the address lists of API keys, trusted proxies and rate limits.
//
// An address is stored as 32-bit words: one for IPv4, four for IPv6. A dual-stack socket shows an
// IPv4 caller as `::ffff:a.b.c.d`. That is the same caller, so it becomes IPv4 here, and every list
// sees one spelling. Text is read strictly: octal or short IPv4 forms, zone ids and surrounding
// blanks are refused, because another program in the chain may read them as a different address.
import { isIPv4, isIPv6 } from 'node:net'

type Words = readonly number[]

export type Range = {
  readonly words: Words
  readonly masks: Words
}

// A bare address is a range of one address. Bits set behind the prefix (`10.1.2.3/8`) are refused,
// as PostgreSQL's cidr does: the writer meant either the host or the network, and guessing the
// network would admit more callers than meant.
export function parseRange(text: string): Range | undefined {
  const slash = text.indexOf('/')
  const parsed = readWords(slash === -1 ? text : text.slice(0, slash))
  if (parsed === undefined) return undefined
  let prefixLength = parsed.length * 32
  if (slash !== -1) {
    const prefix = text.slice(slash + 1)
    if (!prefixPattern.test(prefix) || Number.parseInt(prefix, 10) > prefixLength) return undefined
    prefixLength = Number.parseInt(prefix, 10)
  }
  if (parsed.some((word, index) => (word & ~wordMask(prefixLength, index)) !== 0)) return undefined
  // A range of mapped addresses needs at least /96: a shorter prefix fails the check above.
  const words = unmapped(parsed)
  const length = prefixLength - 32 * (parsed.length - words.length)
  return { words, masks: words.map((_, index) => wordMask(length, index)) }
}

// False for text that is not an address, so unreadable text is never on a list.
export function isInRange(address: string, range: Range): boolean {
  const words = parseWords(address)
  if (words === undefined || words.length !== range.words.length) return false
  return words.every(
    (word, index) => ((word ^ (range.words[index] ?? 0)) & (range.masks[index] ?? 0)) === 0,
  )
}

// Wider than any real network: the largest private ones are 10.0.0.0/8 and fc00::/7. A list with
// such a range trusts everyone, or would with a second one.
export function isTooWide({ masks: [first = 0, ...others] }: Range): boolean {
  return first >>> 0 < (others.length === 0 ? 0xff000000 : 0xfe000000)
}

// The canonical spelling of an address (RFC 5952 for IPv6), or undefined if the text is not one.
export function normaliseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const words = parseWords(text)
  return words === undefined ? undefined : formatWords(words)
}

// Clears the bits behind the prefix of an IPv6 address. IPv4 addresses stay unchanged.
export function maskIPv6(address: string, prefixLength: number): string | undefined {
  if (isIPv4(address)) return address
  const words = parseWords(address)
  if (words === undefined) return undefined
  if (words.length === 1) return formatWords(words)
  // The shift makes the word unsigned again, like the parsed words.
  return formatWords(words.map((word, index) => (word & wordMask(prefixLength, index)) >>> 0))
}

// The words of an address as written: a mapped address stays IPv6 here.
export function addressWords(text: string): readonly number[] | undefined {
  return readWords(text)
}

const prefixPattern = /^(0|[1-9]\d{0,2})$/

function parseWords(text: string): Words | undefined {
  const words = readWords(text)
  return words === undefined ? undefined : unmapped(words)
}

function readWords(text: string): Words | undefined {
  if (isIPv4(text)) return [parseIPv4(text)]
  if (isIPv6(text) && !text.includes('%')) return parseIPv6(text)
  return undefined
}

function unmapped(words: Words): Words {
  const [first, second, third, last] = words
  return first === 0 && second === 0 && third === 0xffff && last !== undefined ? [last] : words
}

function parseIPv4(text: string): number {
  let word = 0
  for (const part of text.split('.')) word = word * 256 + Number.parseInt(part, 10)
  return word
}

// Node has already validated the text. This runs on every request, hence the plain loops.
function parseIPv6(text: string): Words {
  const gap = text.indexOf('::')
  const groups = parseGroups(gap === -1 ? text : text.slice(0, gap))
  if (gap !== -1) {
    const tail = parseGroups(text.slice(gap + 2))
    while (groups.length + tail.length < 8) groups.push(0)
    groups.push(...tail)
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  return [a * 0x10000 + b, c * 0x10000 + d, e * 0x10000 + f, g * 0x10000 + h]
}

function parseGroups(text: string): number[] {
  const groups: number[] = []
  if (text === '') return groups
  for (const group of text.split(':')) {
    if (group.includes('.')) {
      const word = parseIPv4(group)
      groups.push(word >>> 16, word & 0xffff)
    } else {
      groups.push(Number.parseInt(group, 16))
    }
  }
  return groups
}

function wordMask(prefixLength: number, index: number): number {
  const bits = Math.min(Math.max(prefixLength - 32 * index, 0), 32)
  // In JavaScript, shifting by 32 shifts by 0, so a prefix of 0 bits is handled separately.
  return bits === 0 ? 0 : -1 << (32 - bits)
}

function formatWords(words: Words): string {
  if (words.length === 1) {
    const [word = 0] = words
    return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`
  }
  const groups: number[] = []
  for (const word of words) groups.push(word >>> 16, word & 0xffff)
  const zeros = longestZeros(groups)
  if (zeros.length < 2) return formatGroups(groups, 0, 8)
  const tail = formatGroups(groups, zeros.start + zeros.length, 8)
  return `${formatGroups(groups, 0, zeros.start)}::${tail}`
}

function formatGroups(groups: readonly number[], start: number, end: number): string {
  let text = ''
  for (let index = start; index < end; index += 1) {
    text += `${index > start ? ':' : ''}${(groups[index] ?? 0).toString(16)}`
  }
  return text
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 }
  let start = 0
  for (let index = 0; index < groups.length; index += 1) {
    if (groups[index] !== 0) start = index + 1
    else if (index + 1 - start > longest.length) longest = { start, length: index + 1 - start }
  }
  return longest
}
