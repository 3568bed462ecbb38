// Every mistake gets one line and an exit status other than 0.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Installation,
  installationOn,
  keyOf,
  newBusiness,
  runCli,
  spawnCli,
} from '../support/cli.ts'
import { createDatabase } from '../support/database.ts'
import { secretsKeyOf } from '../support/secrets-key.ts'

const usage = 64
let installed: Installation
let business: string
let key: string

beforeAll(async () => {
  const database = await createDatabase()
  installed = installationOn(database, keyOf(1))
  const made = await installed.json(...newBusiness)
  business = made.business_id
  const issued = await installed.json('keys', 'create', '--business', business, ...keyOptions())
  key = issued.id
  return () => database.drop()
})

// Those of a good key, with some changed; null leaves one out.
function keyOptions(changes: Record<string, string | null> = {}): string[] {
  const options: Record<string, string | null> = {
    service: 'books',
    environment: 'live',
    scopes: 'read',
    name: 'Till',
    'created-by': 'ada@example.com',
    ...changes,
  }
  return Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, value],
  )
}

const createKey = (changes: Record<string, string | null>) => () => [
  ...['keys', 'create', '--business', business],
  ...keyOptions(changes),
]
const rotateKey = (hours: string) => () => [
  ...['keys', 'rotate', '--business', business, '--key', key, '--overlap-hours', hours],
]
const threshold = (amount: string) => () => [
  ...['thresholds', 'set', '--default', '--operation', 'refund', '--currency', 'NGN'],
  ...['--amount', amount],
]
const plan = (amount: string) => () => [
  ...['plans', 'create', '--name', 'Gold', '--currency', 'NGN', '--amount', amount],
  ...['--every', 'month'],
]
const changedBusiness = (name: string, value: string) => () =>
  newBusiness.map((word, index) => (newBusiness[index - 1] === `--${name}` ? value : word))
const unknownId = '00000000-0000-7000-8000-000000000000'

const mistakes: [string, () => string[], number, string][] = [
  ['an unknown command', () => ['launch'], usage, 'there is no command "launch"'],
  ['help about nothing', () => ['help', 'launch'], usage, 'there is no command "launch"'],
  ['an unknown second word', () => ['businesses', 'delete'], usage, 'does not take "delete"'],
  [
    'an unknown option',
    () => ['businesses', '--all'],
    usage,
    'has no option --all; it takes --json',
  ],
  ['a letter for an option', () => ['businesses', '-j'], usage, 'has no option -j'],
  ['a value for a switch', () => ['businesses', '--json=1'], usage, '--json takes no value'],
  ['an option without its value', () => ['keys', 'list', '--business'], usage, 'needs a value'],
  ['an option for a value', () => ['keys', 'list', '--business', '--json'], usage, 'needs a value'],
  ['an amount below zero', threshold('-1'), usage, '--amount must be 0 or more'],
  ['an amount of nothing', plan('0'), usage, '--amount must be more than 0'],
  ['a price below zero', plan('-0.5'), usage, '--amount must be more than 0'],
  ['an amount in words', plan('ten'), usage, '--amount must be an amount of NGN, such as 50000.00'],
  ['an amount that is too large', plan('1e9'), usage, '--amount: '],
  ['a business that is no id', () => ['keys', 'list', '--business', 'x'], usage, 'no business x'],
  ['an unknown business', () => ['keys', 'list', '--business', unknownId], usage, 'no business'],
  ['an unknown service', createKey({ service: 'shop' }), usage, '--service must be merchant or'],
  ['an unknown environment', createKey({ environment: 'dev' }), usage, '--environment must be'],
  [
    'two environments',
    () => [...createKey({ environment: 'live' })(), '--test'],
    usage,
    'use either --test or --live',
  ],
  ['no name', createKey({ name: null }), usage, '--name is missing'],
  ['a blank name', createKey({ name: ' ' }), usage, '--name is missing'],
  ['a name of 101 characters', createKey({ name: 'a'.repeat(101) }), 1, 'name: Enter one line'],
  ['a name of two lines', createKey({ name: 'a\nb' }), 1, 'name: Enter one line'],
  ['no scopes', createKey({ scopes: null }), 1, 'scopes: Name at least one'],
  ['an unknown scope', createKey({ scopes: 'fly' }), 1, 'scopes: Unknown: fly'],
  ['no address at all', createKey({ allow: '' }), usage, '--allow names no address'],
  ['only a comma', createKey({ allow: ' , ' }), usage, '--allow names no address'],
  ['a wrong address', createKey({ allow: 'shop' }), 1, 'allowedAddresses: shop is not an address'],
  ['a wrong date', createKey({ expires: 'soon' }), usage, '--expires is not a date: soon'],
  ['a past date', createKey({ expires: '2020-01-01' }), 1, 'expiresAt: The expiry is in'],
  ['a stranger', createKey({ 'created-by': 'x@example.com' }), usage, 'is not a member'],
  ['an overlap in words', rotateKey('two'), usage, '--overlap-hours must be a whole number'],
  ['a negative overlap', rotateKey('-1'), usage, '--overlap-hours must be a whole number'],
  [
    'an unknown key',
    () => ['keys', 'revoke', '--business', business, '--key', unknownId],
    usage,
    `there is no key ${unknownId}`,
  ],
  ['a country in words', changedBusiness('country', 'Nigeria'), usage, '--country must be'],
  ['an unknown currency', changedBusiness('currency', 'XXY'), usage, '--currency must be'],
  ['a wrong e-mail', changedBusiness('owner-email', 'ada'), usage, '--owner-email must be'],
  ['a business of two lines', changedBusiness('name', 'a\nb'), usage, '--name must be one line'],
]

describe('one line answers', () => {
  test.each(mistakes)('%s', async (_, args, status, message) => {
    const result = await installed.cli(...args())
    expectOneLine(result, message)
    expect(result.status).toBe(status)
  })

  test('a mistake in the command that operators start', async () => {
    const result = await spawnCli({}, 'launch')
    expectOneLine(result, 'there is no command "launch"')
    expect(result.status).toBe(usage)
  })

  test.each([
    ['a server that does not run', { DATABASE_URL: 'postgres://a:pass-word@127.0.0.1:1/b' }, 1],
    ['a database that does not exist', { DATABASE_URL: 'no_such_database' }, 1],
    ['another key than the right one', { SECRETS_KEY: secretsKeyOf(3).toString('base64') }, 1],
    ['a key of another version', { SECRETS_KEY: keyOf(2) }, 1],
    ['no key at all', { SECRETS_KEY: 'secret' }, 78],
  ])('%s', async (_, wrong: Record<string, string>, status) => {
    const env = { ...installed.env, ...wrong }
    if (wrong.DATABASE_URL?.startsWith('no_')) {
      const url = new URL(installed.env.DATABASE_URL ?? '')
      url.pathname = `/${wrong.DATABASE_URL}`
      env.DATABASE_URL = url.href
    }
    for (const args of [['businesses'], ['verify'], ['secrets', 'reseal']]) {
      const result = await runCli(env, ...args)
      expectOneLine(result, Object.keys(wrong)[0] ?? '')
      expect(result.status).toBe(status)
      expect(result.stderr).not.toContain('pass-word')
    }
  })
})

describe('help', () => {
  test('lists every command without one, and needs no database', async () => {
    const { status, stdout, stderr } = await runCli({})
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: npm run cli -- <command>/)
    for (const name of ['businesses create', 'keys create', 'secrets reseal', 'verify', 'migrate'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect((await runCli({}, '--help')).stdout).toBe(stdout)
    expect((await runCli({}, 'help')).stdout).toBe(stdout)
  })

  test('tells the options of a command', async () => {
    const { status, stdout } = await runCli({}, 'keys', 'rotate', '--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^Usage: npm run cli -- keys rotate \[options\]\n\n {2}Replace an API key/,
    )
    expect(stdout).toContain('  --overlap-hours N ')
    expect((await runCli({}, 'help', 'keys', 'rotate')).stdout).toBe(stdout)
    const { stdout: group } = await runCli({}, 'help', 'businesses')
    expect(group).toMatch(/\n\nSee also businesses create, businesses verify\.\n$/)
  })

  test('lists the commands of a group', async () => {
    const { status, stdout } = await runCli({}, 'help', 'keys')
    expect(status).toBe(0)
    expect(await runCli({}, 'keys')).toMatchObject({ status: 0, stdout, stderr: '' })
    expect(stdout.match(/^ {2}\w+ \w+/gm)).toEqual([
      '  keys create',
      '  keys list',
      '  keys rotate',
      '  keys revoke',
    ])
    expect(stdout).not.toContain('businesses')
  })
})

function expectOneLine(result: { status: number; stdout: string; stderr: string }, text: string) {
  expect(result.stdout).toBe('')
  expect(result.stderr).toMatch(/^[^\n]+\n$/)
  expect(result.stderr).toContain(text)
}
