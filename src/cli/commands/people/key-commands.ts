import { services } from '../../../app/services.ts'
import type { SystemActor } from '../../../kernel/auth/actor.ts'
import type { ApiKey } from '../../../kernel/auth/api-key.ts'
import { type ListedApiKey, listApiKeys } from '../../../kernel/auth/api-key-store.ts'
import {
  createApiKey,
  type IssuedKey,
  type KeyIssuer,
  revokeApiKey,
  rotateApiKey,
} from '../../../kernel/auth/manage-api-keys.ts'
import { findMemberByEmail, listOwners } from '../../../kernel/auth/membership-store.ts'
import type { Environment } from '../../../kernel/basics/tenant.ts'
import { findMeantBusiness } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  type CommandOptions,
  type CommandWorld,
  jsonUsage,
  listOption,
  print,
  printJson,
  requiredOption,
  testUsage,
  UsageError,
} from '../../core/command.ts'
import { environmentOption } from '../../core/environment-option.ts'

export const createKey: Command = {
  name: 'keys create',
  summary: 'Make an API key and show it once',
  usage: [
    businessUsage,
    '--service NAME         merchant or books',
    testUsage,
    '--scopes LIST          scopes divided by commas, or all',
    '--name TEXT            what it is for',
    '--allow LIST           addresses or CIDR ranges it may be used from (default: all)',
    '--expires DATE         when it stops working, for example 2030-01-31T00:00:00Z',
    '--created-by ADDRESS   the member of the business who answers for it (default: its only owner)',
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    service: { type: 'string' },
    test: { type: 'boolean' },
    environment: { type: 'string' },
    scopes: { type: 'string' },
    name: { type: 'string' },
    allow: { type: 'string' },
    expires: { type: 'string' },
    'created-by': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const issuer = findIssuer(requiredOption(options, 'service'))
    const environment = environmentOption(options)
    const actor = await commandActor(context, options, environment, 'cli keys create')
    const createdBy = await findCreator(context, options, actor)
    const scopes = listOption(options, 'scopes')
    const issued = await context.database.transaction((tx) =>
      createApiKey(tx, context, actor, issuer, {
        name: requiredOption(options, 'name'),
        environment,
        scopes: scopes.includes('all') ? issuer.scopes : scopes,
        allowedAddresses: listOption(options, 'allow'),
        expiresAt: readDate(options, 'expires'),
        createdBy,
      }),
    )
    printIssued(issued, options)
    return 0
  },
}

export const rotateKey: Command = {
  name: 'keys rotate',
  summary: 'Replace an API key; the old one works until the overlap ends',
  usage: [
    businessUsage,
    '--key ID               the key to replace',
    '--overlap-hours N      how long the old key goes on working (default 24)',
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    key: { type: 'string' },
    'overlap-hours': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const key = await findKey(context, options)
    const overlapHours = readWholeNumber(options, 'overlap-hours', 24)
    const actor = await commandActor(context, options, key.environment, 'cli keys rotate')
    const issued = await context.database.transaction((tx) =>
      rotateApiKey(tx, context, actor, findIssuer(key.service), key.id, overlapHours * 3600),
    )
    printIssued(issued, options)
    return 0
  },
}

export const listKeys: Command = {
  name: 'keys list',
  summary: 'List the API keys of a business',
  usage: [businessUsage, jsonUsage],
  options: { business: { type: 'string' }, json: { type: 'boolean' } },
  async run({ context }, options) {
    const { id: businessId } = await findMeantBusiness(context, options)
    const keys = await listApiKeys(context.database.sql, businessId)
    if (options.json) {
      printJson(keys.map((key) => ({ ...key, state: keyState(key, context.clock.now()) })))
      return 0
    }
    for (const key of keys) for (const line of describeKey(key, context.clock.now())) print(line)
    if (keys.length === 0) print('No keys yet. Make one with `cli keys create`.')
    return 0
  },
}

export const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'Stop an API key from working, within a second and for ever',
  usage: [businessUsage, '--key ID               the key'],
  options: { business: { type: 'string' }, key: { type: 'string' } },
  async run({ context }, options) {
    const key = await findKey(context, options)
    const actor = await commandActor(context, options, key.environment, 'cli keys revoke')
    await context.database.transaction((tx) => revokeApiKey(tx, context, actor, key.id))
    print(`Revoked ${key.hint} (${key.name}).`)
    return 0
  },
}

function printIssued({ key, text }: IssuedKey, options: CommandOptions): void {
  if (options.json) {
    printJson({ id: key.id, key: text, scopes: key.scopes, environment: key.environment })
    return
  }
  print(text)
  print()
  print(`Id ${key.id}. The key is shown this once; only its hash is kept.`)
}

function describeKey(key: ListedApiKey, now: Date): string[] {
  const { service, environment, allowedAddresses, expiresAt, lastUsedAt } = key
  const state = keyState(key, now).padEnd(7)
  return [
    `${key.id}  ${key.hint}  ${state}  ${service} ${environment}  ${key.name}`,
    `  scopes     ${key.scopes.join(', ')}`,
    `  addresses  ${allowedAddresses.length === 0 ? 'all' : allowedAddresses.join(', ')}`,
    `  created    ${key.createdAt.toISOString()} by ${key.creatorEmail}`,
    `  expires    ${expiresAt?.toISOString() ?? 'never'}`,
    `  last used  ${lastUsedAt?.toISOString() ?? 'never'}`,
    ...(key.revokedAt ? [`  revoked    ${key.revokedAt.toISOString()}`] : []),
  ]
}

function keyState(key: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt) return 'revoked'
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active'
}

async function findKey(context: CommandWorld['context'], options: CommandOptions): Promise<ApiKey> {
  const { id: businessId } = await findMeantBusiness(context, options)
  const id = requiredOption(options, 'key')
  const keys = await listApiKeys(context.database.sql, businessId)
  const key = keys.find((candidate) => candidate.id === id)
  if (!key) throw new UsageError(`there is no key ${id}; \`cli keys list\` shows what there is`)
  return key
}

async function commandActor(
  context: CommandWorld['context'],
  options: CommandOptions,
  environment: Environment,
  name: string,
): Promise<SystemActor> {
  const { id: businessId } = await findMeantBusiness(context, options)
  return { kind: 'system', name, businessId, environment }
}

// Whoever makes a key cannot approve what it asks for, so every key has a maker. Where only one
// person can be meant, that person is.
async function findCreator(
  { database }: CommandWorld['context'],
  options: CommandOptions,
  { businessId }: SystemActor,
): Promise<string> {
  if (options['created-by'] === undefined) {
    const [owner, ...others] = await listOwners(database.sql, businessId)
    if (owner && others.length === 0) return owner.personId
    const owners = owner ? `several owners: ${emails([owner, ...others])}` : 'no owner'
    throw new UsageError(`--created-by is missing, and the business has ${owners}`)
  }
  const email = requiredOption(options, 'created-by').toLowerCase()
  const personId = await findMemberByEmail(database.sql, businessId, email)
  if (!personId) throw new UsageError(`--created-by: ${email} is no member of the business`)
  return personId
}

function emails(people: readonly { email: string }[]): string {
  return people.map(({ email }) => email).join(', ')
}

function findIssuer(name: string): KeyIssuer {
  const issuer = services.find((service) => service.name === name)
  if (!issuer) {
    const known = services.map((service) => service.name).join(' or ')
    throw new UsageError(`--service must be ${known}`)
  }
  return issuer
}

function readDate(options: CommandOptions, name: string): Date | null {
  const text = options[name]
  if (typeof text !== 'string') return null
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new UsageError(`--${name} is no date: ${text}`)
  return date
}

function readWholeNumber(options: CommandOptions, name: string, fallback: number): number {
  const text = options[name]
  if (typeof text !== 'string') return fallback
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} must be a whole number`)
  return Number.parseInt(text, 10)
}
