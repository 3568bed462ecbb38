// Where a webhook may go, and at which address it is. The rules are applied when an endpoint is
// registered, so that whoever registers hears of it, and again at every attempt, which is what
// protects: a name can change its addresses at any time, and what is known of it is a second old at
// most. The connection is then made to an address that was looked at, never to the name.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../basics/clock.ts'
import { type Allowed, isAllowedAddress } from './egress-address.ts'

export type Target = {
  readonly port: number
  readonly path: string
  // As the header has it: with the port, if it is not the usual one.
  readonly host: string
  // Without brackets and trailing dots; empty for TLS when it is an address.
  readonly hostname: string
  readonly address: string
}

// Why a URL is refused. `unresolved`: nobody could say where it is, which may be our own network.
export type UrlProblem = 'form' | 'address' | 'no_such_name' | 'unresolved'

// All of them vetted, the one to begin with first.
type Targets = readonly [Target, ...Target[]]

export type Vetting = { readonly targets: Targets } | { readonly problem: UrlProblem }

// The signal is asked for only where there is something to wait for.
export type Vet = (text: string, limit: { readonly signal: AbortSignal }) => Promise<Vetting>

const urlLengthMax = 500
// So many addresses of a name are tried.
export const targetsMax = 4
const knownMax = 2000
// Far below what names promise to last, long enough for hundreds of attempts to ask once.
const foundMs = 1000
// Names that never leave the own machine or network, whatever a resolver makes of them.
const localNames = /(^|\.)(localhost|local|internal|localdomain|arpa|onion)$/
// Definite answers of the system of names; everything else is a failure to ask.
const noSuchName = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export function createVet(
  allowed: Allowed,
  clock: Clock,
  resolver = new Resolver({ timeout: 2000, tries: 2 }),
): Vet {
  // What follows from the text alone; the same few are asked for again and again.
  const known = new Map<string, Vetting | Named>()
  function read(text: string): Vetting | Named {
    const before = known.get(text)
    if (before) return before
    const fresh = readUrl(text, allowed)
    if (known.size >= knownMax) known.clear()
    known.set(text, fresh)
    return fresh
  }

  const lookUp = shareFound(clock, async (hostname) => {
    const isOpened = allowed.hosts.has(hostname)
    const found = await (isOpened ? system(hostname) : resolve(resolver, hostname))
    if (typeof found === 'string') return found
    // One address that is not public makes the whole name suspect.
    const ok = isOpened || found.every((one) => isAllowedAddress(one, allowed))
    return ok ? found.slice(0, targetsMax) : 'address'
  })

  return async (text, limit) => {
    const vetted = read(text)
    if (!('named' in vetted)) return vetted
    const { named } = vetted
    const known = lookUp(named.hostname)
    const found = known instanceof Promise ? await within(limit, known) : known
    if (typeof found === 'string') return { problem: found }
    const at = (address: string): Target => ({ ...named, address })
    const [first, ...others] = found
    if (first === undefined) return { problem: 'no_such_name' }
    return { targets: [at(first), ...others.map(at)] }
  }
}

type Found = readonly string[] | UrlProblem

// Whoever asks while somebody else waits for the answer waits with them, and what is good is kept
// for a moment. What is not may be mended at any time, and is asked for again.
function shareFound(clock: Clock, ask: (name: string) => Promise<Found>) {
  const kept = new Map<string, { readonly found: Found; readonly untilMs: number }>()
  const asked = new Map<string, Promise<Found>>()

  async function askAndKeep(name: string): Promise<Found> {
    try {
      const found = await ask(name)
      if (kept.size >= knownMax) kept.clear()
      if (typeof found === 'string') kept.delete(name)
      else kept.set(name, { found, untilMs: clock.monotonicMs() + foundMs })
      return found
    } finally {
      asked.delete(name)
    }
  }

  return (name: string): Found | Promise<Found> => {
    const one = kept.get(name)
    if (one && clock.monotonicMs() < one.untilMs) return one.found
    const asking = asked.get(name) ?? askAndKeep(name)
    asked.set(name, asking)
    return asking
  }
}

// A name has to be asked for, again and again; an address is what it is.
type Named = { readonly named: Omit<Target, 'address'> }

function readUrl(text: string, allowed: Allowed): Vetting | Named {
  const named = parseEndpointUrl(text)
  if (!named) return { problem: 'form' }
  const { hostname } = named
  const isOpened = allowed.hosts.has(hostname)
  if (isIP(hostname)) {
    const ok = isOpened || isAllowedAddress(hostname, allowed)
    return ok ? { targets: [{ ...named, address: hostname }] } : { problem: 'address' }
  }
  const isLocal = !hostname.includes('.') || localNames.test(hostname)
  return isLocal && !isOpened ? { problem: 'address' } : { named }
}

// Only what RFC 3986 allows; the parser would silently mend other characters.
const httpsAddress = /^https:\/\/(?![/?#])(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i

// The URL parser writes every spelling of an IPv4 address (decimal, octal, hex, short) as the one
// with four numbers, so what is checked afterwards is what would be dialled.
function parseEndpointUrl(text: string): Named['named'] | undefined {
  if (text.length > urlLengthMax || !httpsAddress.test(text)) return undefined
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  // Userinfo that is there but empty is a trick too.
  if (/^https:\/\/[^/?#]*@/i.test(text) || url.port === '0') return undefined
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (hostname === '') return undefined
  return {
    port: url.port === '' ? 443 : Number.parseInt(url.port, 10),
    path: `${url.pathname}${url.search}`,
    host: isIP(hostname) ? url.host : url.port === '' ? hostname : `${hostname}:${url.port}`,
    hostname,
  }
}

async function resolve(resolver: Resolver, name: string): Promise<string[] | UrlProblem> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const codes = answers.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []))
  // Half an answer could hide the address that is not public.
  if (codes.some((code) => !noSuchName.has(code))) return 'unresolved'
  const [fours = [], sixes = []] = answers.map((one) =>
    one.status === 'fulfilled' ? one.value : [],
  )
  // Of both kinds in turn: there are networks that reach only one of them.
  const turns = Array.from({ length: Math.max(fours.length, sixes.length) }, (_, at) => at)
  const found = turns.flatMap((at) => [...fours.slice(at, at + 1), ...sixes.slice(at, at + 1)])
  return found.length === 0 ? 'no_such_name' : found
}

// An opened name may be known to this machine alone.
async function system(name: string): Promise<string[] | UrlProblem> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch (error) {
    return noSuchName.has(codeOf(error)) ? 'no_such_name' : 'unresolved'
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

async function within<T>(
  { signal }: { signal: AbortSignal },
  work: Promise<T>,
): Promise<T | UrlProblem> {
  if (signal.aborted) return 'unresolved'
  const { promise, resolve: give } = Promise.withResolvers<UrlProblem>()
  const end = () => give('unresolved')
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
