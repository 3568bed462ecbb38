// Every setting, parsed once from the environment; nothing else reads it. All problems are
// reported together, one line each, so that a person mends them in one go. A new setting is added
// to `settingNames`, to `Settings` and to config.example.env; a test compares the first and last.
import { resolve } from 'node:path'
import { parseSecretsRing, type SecretsKey } from './kernel/auth/secrets.ts'
import { type LogLevel, logLevels } from './kernel/basics/log.ts'
import { parseTrustProxy, type TrustProxy } from './kernel/http/client-address.ts'

export const settingNames = [
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'SECRETS_KEY',
  'REDIS_URL',
  'TRUST_PROXY',
  'RATE_LIMIT_PER_KEY',
  'RATE_LIMIT_PER_ADDRESS',
  'METRICS_TOKEN',
  'LOG_LEVEL',
  'ROLE',
  'WORKER_SLOTS',
  'DEMO',
  'SIMULATOR_PORT',
  'FLUTTERWAVE_SECRET_KEY',
  'FLUTTERWAVE_WEBHOOK_HASH',
  'FLUTTERWAVE_BASE_URL',
  'SHUTDOWN_DELAY_SECONDS',
  'SHUTDOWN_GRACE_SECONDS',
] as const
export type SettingName = (typeof settingNames)[number]

const roles = ['all', 'api', 'worker', 'migrate'] as const
export type Role = (typeof roles)[number]

export type Settings = {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly dataDir: string
  // Undefined means the embedded database.
  readonly databaseUrl: string | undefined
  readonly databasePoolSize: number
  // Undefined means the one kept in DATA_DIR.
  readonly secretsRing: SecretsRing | undefined
  readonly redisUrl: string | undefined
  readonly trustProxy: TrustProxy
  readonly rateLimitPerKey: number
  readonly rateLimitPerAddress: number
  readonly metricsToken: string | undefined
  readonly logLevel: LogLevel
  readonly role: Role
  readonly workerSlots: number
  readonly demo: boolean
  readonly simulatorPort: number
  // Undefined means that no live provider is configured.
  readonly flutterwave: FlutterwaveSettings | undefined
  readonly shutdownDelaySeconds: number
  readonly shutdownGraceSeconds: number
  // PATH, where the commands that the embedded database needs are looked for.
  readonly searchPath: string
}

export type FlutterwaveSettings = {
  readonly baseUrl: string
  readonly secretKey: string
  // Undefined refuses its webhooks; everything is then found by asking.
  readonly webhookHash: string | undefined
}

// The first key seals, all of them open.
export type SecretsRing = readonly [SecretsKey, ...SecretsKey[]]

export type Environment = Readonly<Record<string, string | undefined>>

// The conventional exit status for a configuration error (EX_CONFIG of sysexits.h).
export const configurationErrorStatus = 78

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export function readSettings(args: readonly string[]): Settings {
  return parseSettings(process.env, args)
}

// The role may also be given as the first argument, which then wins over ROLE.
export function parseSettings(env: Environment, args: readonly string[] = []): Settings {
  const read = createReader(args[0] ? { ...env, ROLE: args[0] } : env)
  const host = read.text('HOST') ?? '127.0.0.1'
  const port = read.integer('PORT', 4000, 1, 65_535)
  const databaseUrl = read.parsed('DATABASE_URL', parseDatabaseUrl)
  const embedded = read.text('DATABASE_URL') === undefined
  if (!embedded) {
    read.required('PUBLIC_URL', 'PUBLIC_URL=https://pay.example.com')
    read.required('SECRETS_KEY', 'SECRETS_KEY=$(openssl rand -base64 32)')
  }
  const settings: Settings = {
    host,
    port,
    publicUrl: read.parsed('PUBLIC_URL', parseOrigin) ?? loopbackUrl(host, port),
    dataDir: resolve(read.text('DATA_DIR') ?? 'data'),
    databaseUrl,
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 2, 1000),
    secretsRing: read.parsed('SECRETS_KEY', parseSecrets),
    redisUrl: read.parsed('REDIS_URL', parseRedisUrl),
    trustProxy: read.parsed('TRUST_PROXY', parseProxies) ?? { kind: 'none' },
    rateLimitPerKey: read.integer('RATE_LIMIT_PER_KEY', 180, 1, 100_000_000),
    rateLimitPerAddress: read.integer('RATE_LIMIT_PER_ADDRESS', 600, 1, 100_000_000),
    metricsToken: read.parsed('METRICS_TOKEN', parseToken),
    logLevel: read.choice('LOG_LEVEL', 'info', logLevels),
    role: read.choice('ROLE', 'all', roles),
    workerSlots: read.integer('WORKER_SLOTS', 10, 1, 1000),
    demo: read.choice('DEMO', embedded ? 'on' : 'off', ['on', 'off']) === 'on',
    simulatorPort: read.integer('SIMULATOR_PORT', 4001, 0, 65_535),
    flutterwave: readFlutterwave(read),
    shutdownDelaySeconds: read.integer('SHUTDOWN_DELAY_SECONDS', 0, 0, 600),
    shutdownGraceSeconds: read.integer('SHUTDOWN_GRACE_SECONDS', 30, 1, 3600),
    searchPath: env.PATH ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  }
  if (embedded && (settings.role === 'api' || settings.role === 'worker')) {
    const reason = 'needs DATABASE_URL, since the embedded database serves one process only'
    read.problem('ROLE', `"${settings.role}" ${reason}; for example ROLE=all`)
  }
  read.finish()
  return settings
}

function readFlutterwave(read: Reader): FlutterwaveSettings | undefined {
  const secretKey = read.parsed('FLUTTERWAVE_SECRET_KEY', parseProviderKey)
  const webhookHash = read.parsed('FLUTTERWAVE_WEBHOOK_HASH', parseWebhookHash)
  const baseUrl = read.parsed('FLUTTERWAVE_BASE_URL', parseProviderUrl)
  if (secretKey === undefined) return undefined
  return { baseUrl: baseUrl ?? 'https://api.flutterwave.com/v3', secretKey, webhookHash }
}

// What a parser of a single value answers: the value, or what is wrong with it and an example.
type Parsed<T> = { value: T } | { problem: string }

type Reader = ReturnType<typeof createReader>

function createReader(env: Environment) {
  const problems: string[] = []
  const text = (name: SettingName) => env[name]?.trim() || undefined
  const problem = (name: SettingName, what: string) => {
    problems.push(`${name}: ${what}`)
  }
  return {
    text,
    problem,
    required(name: SettingName, example: string) {
      if (text(name) === undefined) {
        problem(name, `is required with DATABASE_URL; for example ${example}`)
      }
    },
    integer(name: SettingName, fallback: number, min: number, max: number): number {
      const value = text(name)
      if (value === undefined) return fallback
      const number = /^\d{1,9}$/.test(value) ? Number.parseInt(value, 10) : Number.NaN
      if (number >= min && number <= max) return number
      const wanted = `must be a whole number from ${min} to ${max}`
      problem(name, `"${value}" ${wanted}; for example ${name}=${fallback}`)
      return fallback
    },
    choice<T extends string>(name: SettingName, fallback: NoInfer<T>, choices: readonly T[]): T {
      const value = text(name)
      if (value === undefined) return fallback
      const found = choices.find((choice) => choice === value)
      if (found) return found
      const wanted = `must be one of ${choices.join(', ')}`
      problem(name, `"${value}" ${wanted}; for example ${name}=${fallback}`)
      return fallback
    },
    parsed<T>(name: SettingName, parse: (value: string) => Parsed<T>): T | undefined {
      const value = text(name)
      if (value === undefined) return undefined
      const result = parse(value)
      if ('value' in result) return result.value
      problem(name, result.problem)
      return undefined
    },
    finish() {
      if (problems.length > 0) throw new ConfigError(problems)
    },
  }
}

// Values that may hold a password are never repeated in a message.
function parseDatabaseUrl(value: string): Parsed<string> {
  if (/^postgres(ql)?:\/\/\S+$/.test(value)) return { value }
  return {
    problem:
      'must be the address of a PostgreSQL database; ' +
      'for example DATABASE_URL=postgres://tillbook:password@db.example.com:5432/tillbook',
  }
}

function parseSecrets(value: string): Parsed<SecretsRing> {
  const ring = parseSecretsRing(value)
  if (ring) return { value: ring }
  return {
    problem:
      'must be keys of 32 bytes in base64 or hex, each with a version of its own; ' +
      'for example SECRETS_KEY=$(openssl rand -base64 32), or 2:<new key>,1:<old key>',
  }
}

function parseProxies(value: string): Parsed<TrustProxy> {
  const proxies = parseTrustProxy(value)
  if (proxies) return { value: proxies }
  return {
    problem:
      `"${value}" must be none, a number of proxies up to 10, or address ranges; ` +
      'for example TRUST_PROXY=1 or TRUST_PROXY=10.0.0.0/8,192.0.2.7',
  }
}

function parseOrigin(value: string): Parsed<string> {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (isOrigin) return { value: url.origin }
  return {
    problem:
      `"${value}" must be an http or https address without a path; ` +
      'for example PUBLIC_URL=https://pay.example.com',
  }
}

function parseRedisUrl(value: string): Parsed<string> {
  if (/^rediss?:\/\/\S+$/.test(value)) return { value }
  return {
    problem: 'must be the address of a Redis; for example REDIS_URL=redis://cache.example.com:6379',
  }
}

function parseToken(value: string): Parsed<string> {
  if (/^\S{16,}$/.test(value)) return { value }
  return {
    problem:
      'must have at least 16 characters and no spaces; ' +
      'for example METRICS_TOKEN=$(openssl rand -hex 16)',
  }
}

// The key of an account's test mode is allowed, so that an installation can be tried out whole.
function parseProviderKey(value: string): Parsed<string> {
  if (/^FLWSECK(_TEST)?-[\w-]+$/.test(value)) return { value }
  return {
    problem:
      'must be the secret key of a Flutterwave account; ' +
      'for example FLUTTERWAVE_SECRET_KEY=FLWSECK-0123456789abcdef-X',
  }
}

function parseWebhookHash(value: string): Parsed<string> {
  if (/^\S{16,}$/.test(value)) return { value }
  return {
    problem:
      'must have at least 16 characters and no spaces, the same here and in the dashboard; ' +
      'for example FLUTTERWAVE_WEBHOOK_HASH=$(openssl rand -hex 16)',
  }
}

// The secret key goes there with every call, so only this machine may be spoken to in the clear.
function parseProviderUrl(value: string): Parsed<string> {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLocal = url && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)
  if (url && isSafe && url.username === '' && url.search === '' && url.hash === '') {
    return { value: url.href.replace(/\/+$/, '') }
  }
  return {
    problem:
      'must be an https address with the version; ' +
      'for example FLUTTERWAVE_BASE_URL=https://api.flutterwave.com/v3',
  }
}

// An address that listens everywhere is no address to call.
export function loopbackUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
