// Reads DATABASE_URL the way libpq does. `pg` has its own reader, but that one takes a single host
// and verifies the certificate for `sslmode=require`.
import type { ConnectionOptions } from 'node:tls'

// A place to connect to. They are tried in order.
export type Endpoint = {
  // A name, an address, or the directory of a Unix socket.
  readonly host: string
  readonly port: number
  readonly ssl: false | ConnectionOptions
}

export type DatabaseAddress = {
  readonly endpoints: readonly Endpoint[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly sslNegotiation: 'direct' | undefined
  // The kind of server to connect to, for example `primary`.
  readonly targetSessionAttributes: string
  // All other parameters: settings for the session.
  readonly settings: Readonly<Record<string, string>>
}

const defaultPort = 5432

export function parseAddress(address: string): DatabaseAddress {
  const hosts = hostsOf(address)
  // `new URL` takes a single host, so it gets the first one.
  const url = new URL(hosts ? address.replace(hosts, hosts.split(',')[0] ?? '') : address)
  const {
    host = hosts,
    port = url.port,
    sslmode,
    ssl = sslmode,
    sslrootcert,
    sslnegotiation,
    target_session_attrs: targetSessionAttributes = 'any',
    // Ignored: our own limit applies.
    connect_timeout: _connectTimeout,
    ...settings
  } = Object.fromEntries(url.searchParams)
  const mode = sslrootcert === 'system' ? 'verify-full' : ssl
  return {
    endpoints: host.split(',').flatMap((one) => endpointsAt(one, port, mode)),
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)) || undefined,
    sslNegotiation: sslnegotiation === 'direct' ? 'direct' : undefined,
    targetSessionAttributes,
    settings,
  }
}

// For messages; has no password.
export function describeEndpoints({ endpoints }: DatabaseAddress): string {
  const places = endpoints.map(({ host, port }) =>
    host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`,
  )
  return [...new Set(places)].join(',')
}

function hostsOf(address: string): string {
  const [authority = ''] = address.slice(address.indexOf('://') + 3).split(/[/?]/)
  return authority.slice(authority.lastIndexOf('@') + 1)
}

function endpointsAt(text: string, defaultPortText: string, mode: string | undefined): Endpoint[] {
  const decoded = decodeURIComponent(text)
  const [, host = decoded, ownPort] = /^(.*?)(?::(\d+))?$/.exec(decoded) ?? []
  const port = Number.parseInt(ownPort || defaultPortText, 10) || defaultPort
  const at = { host: host.replace(/^\[(.*)\]$/, '$1') || 'localhost', port }
  const unverified = { rejectUnauthorized: false }
  if (mode === undefined || mode === 'disable' || mode === 'false') return [{ ...at, ssl: false }]
  if (mode === 'require') return [{ ...at, ssl: unverified }]
  if (mode === 'prefer' || mode === 'allow') {
    return [
      { ...at, ssl: unverified },
      { ...at, ssl: false },
    ]
  }
  return [{ ...at, ssl: {} }]
}
