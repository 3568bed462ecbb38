// Where a webhook can go, and to which addresses. The rules are checked when an endpoint is
// registered, so that the business sees a mistake, and again at every attempt, because a name can
// change its addresses at any time. The connection goes to a vetted address, never to the name.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../basics/clock.ts'
import { type Allowed, isAllowedAddress, isPublicAddress } from './egress-address.ts'

export type Target = Destination & {
  readonly address: string
  // Reached only because the operator allowed it. Nothing that it answers is kept, since it may be
  // inside the operator's network.
  readonly isOpened: boolean
}

type Destination = {
  readonly port: number
  readonly path: string
  // As in the Host header: with the port, unless it is 443.
  readonly host: string
  // Without brackets and trailing dots.
  readonly hostname: string
}

// Why a URL is refused. `unresolved`: the name server did not answer, which may be our own fault.
export type UrlProblem = 'form' | 'address' | 'no_such_name' | 'unresolved'

// At least one target, and all of them vetted.
export type Vetting = { readonly targets: readonly Target[] } | { readonly problem: UrlProblem }

export type Vet = (url: string, signal: AbortSignal) => Promise<Vetting>

const urlLengthMax = 500
// How many addresses of a name are tried.
export const targetsMax = 4
// Names that never leave the machine or the local network, regardless of the resolver's answer.
const localNames = /(^|\.)(localhost|local|internal|localdomain|arpa|onion)$/
// Definite answers of a name server. Every other error means that it did not answer.
const noSuchName = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export function createVet(
  allowed: Allowed,
  clock: Clock,
  resolver = new Resolver({ timeout: 2000, tries: 2 }),
): Vet {
  const lookUp = shareLookUps(clock, async (hostname) => {
    // A host that the operator allowed may be known only to this machine.
    if (allowed.hosts.has(hostname)) return lookUpLocally(hostname)
    const found = await resolve(resolver, hostname)
    // If one address is not public, the whole name is refused.
    const isRefused = Array.isArray(found) && !found.every((one) => isAllowedAddress(one, allowed))
    return isRefused ? 'address' : found
  })

  async function addressesOf(hostname: string, signal: AbortSignal): Promise<Found> {
    const isOpened = allowed.hosts.has(hostname)
    if (isIP(hostname)) {
      return isOpened || isAllowedAddress(hostname, allowed) ? [hostname] : 'address'
    }
    const isLocal = !hostname.includes('.') || localNames.test(hostname)
    return isLocal && !isOpened ? 'address' : unlessAborted(signal, lookUp(hostname))
  }

  return async (url, signal) => {
    const destination = parseEndpointUrl(url)
    if (!destination) return { problem: 'form' }
    const found = await addressesOf(destination.hostname, signal)
    if (typeof found === 'string') return { problem: found }
    const addresses = found.slice(0, targetsMax)
    const isHostOpened = allowed.hosts.has(destination.hostname)
    return {
      targets: addresses.map((address) => ({
        ...destination,
        address,
        isOpened: isHostOpened || !isPublicAddress(address),
      })),
    }
  }
}

// Only characters of RFC 3986; the parser would silently correct others.
const httpsUrl = /^https:\/\/(?![/?#])(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i

// The URL parser writes every spelling of an IPv4 address (decimal, octal, hex, short) as four
// numbers, so the address that is checked is the one that would be dialled.
function parseEndpointUrl(text: string): Destination | undefined {
  if (text.length > urlLengthMax || !httpsUrl.test(text)) return undefined
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  // Empty user info is refused too.
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

type Found = readonly string[] | UrlProblem

const sharedMax = 2000
// Far shorter than any DNS lifetime, and long enough to be shared by hundreds of attempts.
const sharedMs = 1000

// Attempts that start together share a lookup, and the addresses are used for a second. Otherwise
// thousands of webhooks to one host would cause twice as many lookups. Failures are not shared,
// because their cause can end at any time.
function shareLookUps(clock: Clock, lookUp: (hostname: string) => Promise<Found>) {
  const shared = new Map<string, { readonly found: Promise<Found>; untilMs: number }>()
  return (hostname: string): Promise<Found> => {
    const known = shared.get(hostname)
    if (known && clock.monotonicMs() < known.untilMs) return known.found
    if (shared.size >= sharedMax) shared.clear()
    const found = lookUp(hostname)
    const entry = { found, untilMs: Number.POSITIVE_INFINITY }
    shared.set(hostname, entry)
    void found.then((addresses) => {
      const isProblem = typeof addresses === 'string'
      entry.untilMs = isProblem ? Number.NEGATIVE_INFINITY : clock.monotonicMs() + sharedMs
    })
    return found
  }
}

async function resolve(resolver: Resolver, name: string): Promise<string[] | UrlProblem> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const codes = answers.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []))
  // The missing half of the answer could contain an address that is not public.
  if (codes.some((code) => !noSuchName.has(code))) return 'unresolved'
  const [fours = [], sixes = []] = answers.map((one) =>
    one.status === 'fulfilled' ? one.value : [],
  )
  // IPv4 and IPv6 alternate, because some networks reach only one of them.
  const pairs = Array.from({ length: Math.max(fours.length, sixes.length) }, (_, at) => [
    ...fours.slice(at, at + 1),
    ...sixes.slice(at, at + 1),
  ])
  return pairs.length === 0 ? 'no_such_name' : pairs.flat()
}

async function lookUpLocally(name: string): Promise<string[] | UrlProblem> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch (error) {
    return noSuchName.has(codeOf(error)) ? 'no_such_name' : 'unresolved'
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

async function unlessAborted(signal: AbortSignal, work: Promise<Found>): Promise<Found> {
  if (signal.aborted) return 'unresolved'
  const { promise: aborted, resolve: abort } = Promise.withResolvers<Found>()
  const onAbort = () => abort('unresolved')
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
