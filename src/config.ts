// All settings, parsed once from the environment; no other file reads it. All problems are reported
// together, one line each. Add a new setting to `settingNames`, to `Settings` and to
// config.example.env; a test compares the first and the last.
import { resolve } from 'node:path'
import type { FailpointSetting } from './kernel/basics/failpoint.ts'
import { type LogLevel, logLevels } from './kernel/basics/log.ts'
import { isLoopbackUrl } from './kernel/basics/loopback.ts'
import type { TrustProxy } from './kernel/http/client-address.ts'
import type { Sender, SmtpServer } from './kernel/mail/smtp-server.ts'
import type { Allowed } from './kernel/webhooks/egress-address.ts'
import {
  isPublicUrl,
  loopbackUrl,
  type Parsed,
  parseDatabaseUrl,
  parseFailpointSetting,
  parseHost,
  parseMailFrom,
  parseOrigin,
  parseProviderKey,
  parseProviderUrl,
  parseProxies,
  parseRedisUrl,
  parseSecrets,
  parseSmtp,
  parseToken,
  parseWebhookAllow,
  parseWebhookHash,
  type SecretsRing,
} from './start/setting-values.ts'

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
  'WEBHOOK_ALLOW',
  'WEBHOOK_CA_FILE',
  'SMTP_URL',
  'MAIL_FROM',
  'SHUTDOWN_DELAY_SECONDS',
  'SHUTDOWN_GRACE_SECONDS',
  'FAILPOINT',
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
  // Undefined means the key in DATA_DIR.
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
  readonly sampleData: boolean
  readonly simulatorPort: number
  // Undefined means that no live provider is configured.
  readonly flutterwave: FlutterwaveSettings | undefined
  // Addresses that webhooks can go to although they are not public.
  readonly webhookAllow: Allowed | undefined
  // Certificates that webhooks trust in addition to the usual ones.
  readonly webhookCaFile: string | undefined
  // Undefined means that mails are stored and not sent.
  readonly smtpServer: SmtpServer | undefined
  readonly mailFrom: Sender | undefined
  readonly shutdownDelaySeconds: number
  readonly shutdownGraceSeconds: number
  // Only crash tests set this.
  readonly failpoint: FailpointSetting | undefined
  // PATH, where the embedded database looks for commands.
  readonly searchPath: string
}

export type FlutterwaveSettings = {
  readonly baseUrl: string
  readonly secretKey: string
  // Undefined refuses its webhooks; the provider is polled instead.
  readonly webhookHash: string | undefined
}

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

// The first argument can also be the role. It takes precedence over ROLE.
export function parseSettings(env: Environment, args: readonly string[] = []): Settings {
  const read = createReader(args[0] ? { ...env, ROLE: args[0] } : env)
  const host = read.parsed('HOST', parseHost) ?? '127.0.0.1'
  const port = read.integer('PORT', 4000, 1, 65_535)
  const databaseUrl = read.parsed('DATABASE_URL', parseDatabaseUrl)
  const embedded = read.text('DATABASE_URL') === undefined
  if (!embedded) {
    read.required('PUBLIC_URL', 'PUBLIC_URL=https://pay.example.com')
    read.required('SECRETS_KEY', 'SECRETS_KEY=$(openssl rand -base64 32)')
  }
  const publicUrl = read.parsed('PUBLIC_URL', parseOrigin) ?? loopbackUrl(host, port)
  const isPublic = isPublicUrl(publicUrl)
  const demo = read.choice('DEMO', embedded && !isPublic ? 'on' : 'off', ['on', 'empty', 'off'])
  const settings: Settings = {
    ...{ host, port, publicUrl },
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
    demo: demo !== 'off',
    sampleData: demo === 'on',
    simulatorPort: read.integer('SIMULATOR_PORT', 4001, 0, 65_535),
    flutterwave: readFlutterwave(read),
    webhookAllow: read.parsed('WEBHOOK_ALLOW', parseWebhookAllow),
    webhookCaFile: read.text('WEBHOOK_CA_FILE'),
    smtpServer: read.parsed('SMTP_URL', parseSmtp),
    mailFrom: read.parsed('MAIL_FROM', parseMailFrom),
    shutdownDelaySeconds: read.integer('SHUTDOWN_DELAY_SECONDS', 0, 0, 600),
    shutdownGraceSeconds: read.integer('SHUTDOWN_GRACE_SECONDS', 30, 1, 3600),
    failpoint: read.parsed('FAILPOINT', parseFailpointSetting),
    searchPath: env.PATH ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  }
  if (embedded && (settings.role === 'api' || settings.role === 'worker')) {
    const reason = 'needs DATABASE_URL, since the embedded database serves one process only'
    read.problem('ROLE', `"${settings.role}" ${reason}; for example ROLE=all`)
  }
  if (settings.smtpServer && read.text('MAIL_FROM') === undefined) {
    const example = 'MAIL_FROM=Example Ltd <billing@example.com>'
    read.problem('MAIL_FROM', `is required with SMTP_URL; for example ${example}`)
  }
  if (isPublic && !publicUrl.startsWith('https:')) {
    const reason = 'is public and must be https, since passwords and keys travel to it'
    const example = 'PUBLIC_URL=https://pay.example.com'
    read.problem('PUBLIC_URL', `"${publicUrl}" ${reason}; for example ${example}`)
  }
  if (isPublic && settings.demo) {
    const reason = 'must be off with a public PUBLIC_URL: its keys would be printed to the log'
    read.problem('DEMO', `${reason}; for example DEMO=off, and \`npm run demo\` at a terminal`)
  }
  const { failpoint, flutterwave } = settings
  if (failpoint && ![publicUrl, flutterwave?.baseUrl ?? publicUrl].every(isLoopbackUrl)) {
    const reason = 'is for tests: PUBLIC_URL and FLUTTERWAVE_BASE_URL must be on this machine'
    read.problem('FAILPOINT', `${reason}; for example FAILPOINT=`)
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
