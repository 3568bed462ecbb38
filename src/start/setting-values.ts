// The values of settings. Each parser returns the value, or the problem and an example. Messages
// never repeat values that may contain a password or a key.
import { isWeakKey, parseSecretsRing, type SecretsKey } from '../kernel/auth/secrets.ts'
import { addressWords } from '../kernel/basics/address.ts'
import { type FailpointSetting, parseFailpoint } from '../kernel/basics/failpoint.ts'
import { isLoopbackUrl } from '../kernel/basics/loopback.ts'
import { parseTrustProxy, type TrustProxy } from '../kernel/http/client-address.ts'
import {
  parseSender,
  parseSmtpUrl,
  type Sender,
  type SmtpServer,
} from '../kernel/mail/smtp-server.ts'
import { type Allowed, isPublicAddress, parseAllowed } from '../kernel/webhooks/egress-address.ts'

export type Parsed<T> = { value: T } | { problem: string }

// The first key encrypts; all of them decrypt.
export type SecretsRing = readonly [SecretsKey, ...SecretsKey[]]

export function parseDatabaseUrl(value: string): Parsed<string> {
  if (/^postgres(ql)?:\/\/\S+$/.test(value) && isAddress(firstHostOnly(value))) return { value }
  return {
    problem:
      'must be the address of a PostgreSQL database, with special characters of the password as %XX; ' +
      'for example DATABASE_URL=postgres://tillbook:password@db.example.com:5432/tillbook',
  }
}

// An address can name several hosts, `one:5432,two:5432`, which is not a URL.
function firstHostOnly(value: string): string {
  return value.replace(/^([^/]*\/\/(?:[^/?]*@)?[^/?,]*)(?:,[^/?,:]+(?::\d+)?)+/, '$1')
}

// Decodes all parts now. Otherwise an error would only show when connecting.
function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { username, password, pathname } = new URL(value)
  return [username, password, pathname].every((part) => !/%(?![0-9a-f]{2})/i.test(part))
}

// A name or address that the system can resolve.
export function parseHost(value: string): Parsed<string> {
  if (/^[\w.-]+$|^[0-9a-f:.]+(%\w+)?$/i.test(value)) return { value }
  return { problem: `"${value}" must be a name or an address; for example HOST=0.0.0.0` }
}

export function parseSecrets(value: string): Parsed<SecretsRing> {
  const ring = parseSecretsRing(value)
  if (ring && !isWeakKey(ring[0].key)) return { value: ring }
  if (ring) {
    return {
      problem:
        'the first key is too easy to guess; for example SECRETS_KEY=$(openssl rand -base64 32). ' +
        'If secrets were sealed with it, keep it behind a new one: 2:<new key>,1:<old key>, and run ' +
        '`cli secrets reseal`',
    }
  }
  return {
    problem:
      'must be keys of 32 bytes in base64 or hex, each with its own version; ' +
      'for example SECRETS_KEY=$(openssl rand -base64 32), or 2:<new key>,1:<old key>',
  }
}

export function parseProxies(value: string): Parsed<TrustProxy> {
  const proxies = parseTrustProxy(value)
  if (proxies) return { value: proxies }
  return {
    problem:
      `"${value}" must be none, a number of proxies up to 10, or address ranges (at least /8 for ` +
      'IPv4 and /7 for IPv6, so that not everyone is trusted); ' +
      'for example TRUST_PROXY=1 or TRUST_PROXY=10.0.0.0/8,192.0.2.7',
  }
}

export function parseOrigin(value: string): Parsed<string> {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (isOrigin) return { value: url.origin }
  return {
    problem:
      `"${value}" must be an http or https address without a path; ` +
      'for example PUBLIC_URL=https://pay.example.com',
  }
}

export function parseRedisUrl(value: string): Parsed<string> {
  if (/^rediss?:\/\/\S+$/.test(value) && isAddress(value)) return { value }
  return {
    problem:
      'must be the address of a Redis server; for example REDIS_URL=redis://cache.example.com:6379',
  }
}

export function parseToken(value: string): Parsed<string> {
  if (/^\S{16,}$/.test(value)) return { value }
  return {
    problem:
      'must have at least 16 characters and no spaces; ' +
      'for example METRICS_TOKEN=$(openssl rand -hex 16)',
  }
}

// The key of an account's test mode is allowed, so that an installation can be tried out
// completely.
export function parseProviderKey(value: string): Parsed<string> {
  if (/^FLWSECK(_TEST)?-[\w-]+$/.test(value)) return { value }
  return {
    problem:
      'must be the secret key of a Flutterwave account; ' +
      'for example FLUTTERWAVE_SECRET_KEY=FLWSECK-0123456789abcdef-X',
  }
}

export function parseWebhookHash(value: string): Parsed<string> {
  if (/^\S{16,}$/.test(value)) return { value }
  return {
    problem:
      'must have at least 16 characters and no spaces, the same here and in the dashboard; ' +
      'for example FLUTTERWAVE_WEBHOOK_HASH=$(openssl rand -hex 16)',
  }
}

// Every call contains the secret key, so unencrypted connections are allowed only to this machine.
export function parseProviderUrl(value: string): Parsed<string> {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackUrl(value))
  if (url && isSafe && url.username === '' && url.search === '' && url.hash === '') {
    return { value: url.href.replace(/\/+$/, '') }
  }
  return {
    problem:
      'must be an https address with the version; ' +
      'for example FLUTTERWAVE_BASE_URL=https://api.flutterwave.com/v3',
  }
}

export function parseWebhookAllow(value: string): Parsed<Allowed> {
  const allowed = parseAllowed(value)
  if (allowed) return { value: allowed }
  return {
    problem:
      `"${value}" must be exact host names, addresses or address ranges (at least /8 for IPv4 ` +
      'and /7 for IPv6, so that not every address is open); ' +
      'for example WEBHOOK_ALLOW=hooks.internal,10.1.0.0/16',
  }
}

export function parseSmtp(value: string): Parsed<SmtpServer> {
  const server = parseSmtpUrl(value)
  if (server) return { value: server }
  return {
    problem:
      'must be the address of a mail server, with special characters of the password as %XX, and a ' +
      'password only where the connection is encrypted; ' +
      'for example SMTP_URL=smtps://user:password@smtp.example.com:465',
  }
}

export function parseMailFrom(value: string): Parsed<Sender> {
  const sender = parseSender(value)
  if (sender) return { value: sender }
  return {
    problem:
      `"${value}" must be an e-mail address, with or without a name; ` +
      'for example MAIL_FROM=Example Ltd <billing@example.com>',
  }
}

export function parseFailpointSetting(value: string): Parsed<FailpointSetting> {
  const armed = parseFailpoint(value)
  if (armed) return { value: armed }
  return {
    problem:
      `"${value}" must be a name with the number of the time, trace, or @ and a file; ` +
      'for example FAILPOINT=charge.reserved:1',
  }
}

// The address of the service on this machine. `0.0.0.0` and `::` listen everywhere but can't be
// called.
export function loopbackUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

// Whether strangers can reach it: every name and address except those of this machine and of
// private networks.
export function isPublicUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '')
  if (addressWords(host)) return isPublicAddress(host)
  return host.includes('.') && !/\.(localhost|local|lan|internal|test|home\.arpa)$/.test(host)
}
