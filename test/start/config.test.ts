import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, parseSettings, type SettingName, settingNames } from '../../src/config.ts'
import { isWeakKey } from '../../src/kernel/auth/secrets.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'

const key = secretsKeyOf(1)
const ownDatabase = {
  DATABASE_URL: 'postgres://tillbook:hush@db.example.com/tillbook',
  PUBLIC_URL: 'https://pay.example.com',
  SECRETS_KEY: key.toString('base64'),
}

test('nothing needs to be set', () => {
  expect(parseSettings({})).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://127.0.0.1:4000',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databasePoolSize: 10,
    secretsRing: undefined,
    redisUrl: undefined,
    trustProxy: { kind: 'none' },
    rateLimitPerKey: 180,
    rateLimitPerAddress: 600,
    metricsToken: undefined,
    logLevel: 'info',
    role: 'all',
    demo: true,
    simulatorPort: 4001,
    flutterwave: undefined,
    shutdownDelaySeconds: 0,
    shutdownGraceSeconds: 30,
  })
})

test('an empty or blank value counts as unset', () => {
  const blank = Object.fromEntries(settingNames.map((name) => [name, ' ']))
  expect(parseSettings(blank)).toEqual(parseSettings({}))
})

test('the example file names every setting, and its values are the defaults', () => {
  const lines = readFileSync('config.example.env', 'utf8').split('\n')
  const pairs = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('='))
  expect(pairs.map(([name]) => name).toSorted()).toEqual([...settingNames].toSorted())
  expect(parseSettings(Object.fromEntries(pairs))).toEqual(parseSettings({}))
})

test.each(['.gitignore', '.dockerignore'])('%s leaves out files with settings', (file) => {
  const ignored = readFileSync(file, 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.env', '.env.*']))
})

test('your own database gets no demo unasked', () => {
  const local = { ...ownDatabase, PUBLIC_URL: 'http://localhost:4000' }
  expect(parseSettings(local).demo).toBe(false)
  expect(parseSettings({ ...local, DEMO: 'on' }).demo).toBe(true)
  expect(parseSettings({ DEMO: 'off' }).demo).toBe(false)
})

test('a public address gets no demo, whose keys would be printed to the log', () => {
  const { PUBLIC_URL } = ownDatabase
  expect(parseSettings({ PUBLIC_URL }).demo).toBe(false)
  expect(problemsOf({ PUBLIC_URL, DEMO: 'on' })).toEqual([
    expect.stringMatching(/^DEMO: must be off with a public PUBLIC_URL/),
  ])
})

test.each([
  ...['http://pay.example.com', 'http://pay.example.com:8080', 'http://127.0.0.1.example.com'],
  ...['http://8.8.8.8', 'http://[2a00:1450::1]:4000'],
])('%s is public, so it must be https', (url) => {
  expect(problemsOf({ PUBLIC_URL: url })).toEqual([
    expect.stringMatching(
      /^PUBLIC_URL: .* is public and must be https.*for example PUBLIC_URL=https:/,
    ),
  ])
  expect(parseSettings({ PUBLIC_URL: url.replace('http:', 'https:') }).demo).toBe(false)
})

test('so must the default address where HOST is public', () => {
  expect(problemsOf({ HOST: '8.8.8.8' })).toEqual([expect.stringMatching(/^PUBLIC_URL: /)])
})

test.each([
  ...['http://localhost:4000', 'http://shop.localhost', 'http://127.0.0.2', 'http://[::1]:4000'],
  ...['http://10.1.2.3', 'http://192.168.1.5:4000', 'http://[fd00::1]', 'http://tillbook:4000'],
  ...['http://till.local', 'http://till.internal', 'http://till.test', 'http://till.home.arpa'],
])('%s is in a private network and may be http', (url) => {
  expect(parseSettings({ PUBLIC_URL: url })).toMatchObject({ publicUrl: url, demo: true })
})

describe('a first key that no one drew at random', () => {
  test.each([
    ['zeros', Buffer.alloc(32)],
    ['a repeated byte', Buffer.alloc(32, 7)],
    ['a repeated pattern', Buffer.alloc(32, 'secret-')],
    ['counted bytes', Buffer.from(Array.from({ length: 32 }, (_, index) => 3 * index))],
    ['typed text', Buffer.from('The quick brown fox jumps over 1')],
  ])('is refused: %s', (_, weak) => {
    for (const text of [weak.toString('base64'), weak.toString('hex')]) {
      expect(problemsOf({ SECRETS_KEY: text })).toEqual([
        expect.stringMatching(/^SECRETS_KEY: the first key is too easy to guess/),
      ])
    }
    // As an older key it still opens what it sealed.
    const rotated = `2:${key.toString('base64')},1:${weak.toString('base64')}`
    expect(ring(rotated)).toEqual([
      { version: 2, key },
      { version: 1, key: weak },
    ])
  })

  test('is hardly ever a random one', () => {
    for (let version = 0; version < 2000; version += 1) {
      expect(isWeakKey(secretsKeyOf(version))).toBe(false)
    }
  })
})

test('the role may be given as an argument, which wins', () => {
  expect(parseSettings({ ...ownDatabase, ROLE: 'api' }).role).toBe('api')
  expect(parseSettings({ ...ownDatabase, ROLE: 'api' }, ['worker']).role).toBe('worker')
})

test('a provider is configured by its key; the rest has defaults', () => {
  const secretKey = 'FLWSECK-0123456789abcdef-X'
  const settings = parseSettings({ FLUTTERWAVE_SECRET_KEY: ` ${secretKey} ` })
  expect(settings.flutterwave).toEqual({
    baseUrl: 'https://api.flutterwave.com/v3',
    secretKey,
    webhookHash: undefined,
  })
  const webhookHash = 'a hash of sixteen'.replaceAll(' ', '-')
  const more = { FLUTTERWAVE_WEBHOOK_HASH: webhookHash }
  expect(parseSettings(more).flutterwave).toBe(undefined)
  const all = { ...more, FLUTTERWAVE_SECRET_KEY: secretKey }
  const baseUrl = 'http://127.0.0.1:4001/v3'
  expect(parseSettings({ ...all, FLUTTERWAVE_BASE_URL: `${baseUrl}/` }).flutterwave).toEqual({
    baseUrl,
    secretKey,
    webhookHash,
  })
})

test('a failpoint is a name, and for which time it is reached', () => {
  expect(parseSettings({ FAILPOINT: 'charge.reserved' }).failpoint).toEqual({
    name: 'charge.reserved',
    time: 1,
  })
  expect(parseSettings({ FAILPOINT: 'late-success.sent:12' }).failpoint).toEqual({
    name: 'late-success.sent',
    time: 12,
  })
  expect(parseSettings({ FAILPOINT: 'trace' }).failpoint).toBe('trace')
  expect(parseSettings({ FAILPOINT: '@/tmp/armed' }).failpoint).toEqual({ file: '/tmp/armed' })
})

test('a failpoint is refused where payers or a real provider are', () => {
  const failpoint = { FAILPOINT: 'charge.reserved' }
  const isRefused = (env: Record<string, string>) =>
    problemsOf({ ...failpoint, ...env }).some((line) => line.startsWith('FAILPOINT: is for tests'))
  const provider = { FLUTTERWAVE_SECRET_KEY: 'FLWSECK-0123456789abcdef-X' }
  expect(isRefused({})).toBe(false)
  expect(isRefused(ownDatabase)).toBe(true)
  expect(isRefused({ ...ownDatabase, PUBLIC_URL: 'http://127.0.0.1:4000' })).toBe(false)
  expect(isRefused(provider)).toBe(true)
  expect(isRefused({ ...provider, FLUTTERWAVE_BASE_URL: 'http://127.0.0.1:1/v3' })).toBe(false)
})

test.each([
  ['0.0.0.0', 'http://localhost:4000'],
  ['::', 'http://localhost:4000'],
  ['::1', 'http://[::1]:4000'],
  ['10.1.2.3', 'http://10.1.2.3:4000'],
])('on host %s links lead to %s by default', (host, url) => {
  expect(parseSettings({ HOST: host }).publicUrl).toBe(url)
})

test.each([
  ['https://pay.example.com/', 'https://pay.example.com'],
  ['HTTPS://Pay.Example.Com:8080', 'https://pay.example.com:8080'],
])('PUBLIC_URL %s is the origin %s', (given, origin) => {
  expect(parseSettings({ PUBLIC_URL: given }).publicUrl).toBe(origin)
})

test('SECRETS_KEY is one key in base64 or hex, or a ring with the newest first', () => {
  const other = secretsKeyOf(2)
  expect(ring(key.toString('base64'))).toEqual([{ version: 1, key }])
  expect(ring(key.toString('hex'))).toEqual([{ version: 1, key }])
  expect(ring(`2:${other.toString('base64')}, 1:${key.toString('hex')}`)).toEqual([
    { version: 2, key: other },
    { version: 1, key },
  ])
})

test.each<[SettingName, string]>([
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '80a'],
  ['PORT', '-1'],
  ['PORT', '4e3'],
  ['PUBLIC_URL', 'pay.example.com'],
  ['PUBLIC_URL', 'ftp://pay.example.com'],
  ['PUBLIC_URL', 'https://pay.example.com/shop'],
  ['PUBLIC_URL', 'https://pay.example.com?x=1'],
  ['PUBLIC_URL', 'https://me:hush@pay.example.com'],
  ['HOST', 'foo bar'],
  ['HOST', 'http://localhost'],
  ['DATABASE_URL', 'mysql://db.example.com/shop'],
  ['DATABASE_URL', 'postgres://tillbook:100%@db.example.com/tillbook'],
  ['DATABASE_URL', 'postgres://tillbook@db.example.com:port/tillbook'],
  ['DATABASE_URL', 'postgres://tillbook@db.example.com:99999/tillbook'],
  ['DATABASE_URL', 'postgres://tillbook:a/b@db.example.com/tillbook'],
  ['REDIS_URL', 'redis://:%zz@cache.example.com:6379'],
  ['REDIS_URL', 'redis://cache.example.com:99999'],
  ['DATABASE_POOL_SIZE', '1'],
  ['SECRETS_KEY', 'short'],
  ['SECRETS_KEY', `1:${key.toString('base64')},1:${key.toString('base64')}`],
  ['REDIS_URL', 'cache.example.com'],
  ['TRUST_PROXY', 'everyone'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['WEBHOOK_ALLOW', '*'],
  ['WEBHOOK_ALLOW', '0.0.0.0/0'],
  ['RATE_LIMIT_PER_KEY', '0'],
  ['RATE_LIMIT_PER_ADDRESS', 'many'],
  ['METRICS_TOKEN', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['ROLE', 'everything'],
  ['ROLE', 'api'],
  ['WORKER_SLOTS', '0'],
  ['DEMO', 'yes'],
  ['SIMULATOR_PORT', '65536'],
  ['FLUTTERWAVE_SECRET_KEY', 'FLWPUBK-1-X'],
  ['FLUTTERWAVE_SECRET_KEY', 'FLWSECK-1 -X'],
  ['FLUTTERWAVE_WEBHOOK_HASH', 'short'],
  ['FLUTTERWAVE_BASE_URL', 'api.flutterwave.com/v3'],
  ['FLUTTERWAVE_BASE_URL', 'http://api.flutterwave.com/v3'],
  ['FLUTTERWAVE_BASE_URL', 'http://127.0.0.1.example.com/v3'],
  ['FLUTTERWAVE_BASE_URL', 'https://me:hush@api.flutterwave.com/v3'],
  ['SMTP_URL', 'smtp.example.com:587'],
  ['SMTP_URL', 'http://smtp.example.com'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp://user@smtp.example.com'],
  ['SMTP_URL', 'smtp://user:100%@smtp.example.com'],
  ['SMTP_URL', 'smtp://smtp.example.com/path'],
  ['SMTP_URL', 'smtp://smtp.example.com?tls=never'],
  ['SMTP_URL', 'smtps://smtp.example.com?tls=optional'],
  // The password would go over the network in the clear.
  ['SMTP_URL', 'smtp://user:hush@smtp.example.com?tls=optional'],
  ['MAIL_FROM', 'Example Ltd'],
  ['MAIL_FROM', 'billing@localhost'],
  ['MAIL_FROM', 'One <a@example.com>, Two <b@example.com>'],
  ['SHUTDOWN_DELAY_SECONDS', '1.5'],
  ['SHUTDOWN_GRACE_SECONDS', '0'],
  ['FAILPOINT', 'everywhere'],
  ['FAILPOINT', 'charge.reserved:0'],
  ['FAILPOINT', '@'],
])('%s=%s is refused with an example', (name, value) => {
  const [problem = ''] = problemsOf({ [name]: value }).filter((line) => line.startsWith(name))
  expect(problem).toMatch(new RegExp(`^${name}: .*for example .*${name === 'ROLE' ? '' : name}`))
})

test('SMTP_URL says where mail goes, how it is kept from others, and who logs in', () => {
  const server = (url: string) =>
    parseSettings({ SMTP_URL: url, MAIL_FROM: 'billing@example.com' }).smtpServer
  const login = { user: 'me@example.com', password: 'p@ss' }
  expect(server('smtps://me%40example.com:p%40ss@smtp.example.com')).toEqual({
    ...{ host: 'smtp.example.com', port: 465, tls: 'implicit', login },
  })
  expect(server('smtp://me%40example.com:p%40ss@smtp.example.com')).toEqual({
    ...{ host: 'smtp.example.com', port: 587, tls: 'required', login },
  })
  expect(server('smtp://relay.internal?tls=optional')).toEqual({
    ...{ host: 'relay.internal', port: 25, tls: 'optional', login: undefined },
  })
  expect(server('smtp://[::1]:1025')).toEqual({
    ...{ host: '::1', port: 1025, tls: 'optional', login: undefined },
  })
})

test('MAIL_FROM is an address with or without a name, and needed for sending', () => {
  const from = (text: string) => parseSettings({ MAIL_FROM: text }).mailFrom
  expect(from('billing@Example.com')).toEqual({ name: '', address: 'billing@example.com' })
  expect(from('"Example, Ltd" <billing@example.com>')).toEqual({
    ...{ name: 'Example, Ltd', address: 'billing@example.com' },
  })
  const [problem] = problemsOf({ SMTP_URL: 'smtp://localhost' })
  expect(problem).toMatch(/^MAIL_FROM: is required with SMTP_URL; for example MAIL_FROM=/)
})

test('problems are all told, and none repeats a secret', () => {
  const problems = problemsOf({
    DATABASE_URL: 'mysql://hush',
    SECRETS_KEY: 'hush',
    REDIS_URL: 'hush',
    METRICS_TOKEN: 'hush',
    FLUTTERWAVE_SECRET_KEY: 'hush',
    FLUTTERWAVE_WEBHOOK_HASH: 'hush',
    FLUTTERWAVE_BASE_URL: 'http://hush.example.com',
    SMTP_URL: 'smtp://user:hush@smtp.example.com/path',
  })
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    'DATABASE_URL',
    'PUBLIC_URL',
    'SECRETS_KEY',
    'REDIS_URL',
    'METRICS_TOKEN',
    'FLUTTERWAVE_SECRET_KEY',
    'FLUTTERWAVE_WEBHOOK_HASH',
    'FLUTTERWAVE_BASE_URL',
    'SMTP_URL',
  ])
  expect(problems.join()).not.toContain('hush')
})

function ring(text: string) {
  return parseSettings({ SECRETS_KEY: text }).secretsRing
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseSettings(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
