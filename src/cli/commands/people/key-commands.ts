import { access } from '../../../app/access.ts'
import { services } from '../../../app/services.ts'
import type { ApiKeyView } from '../../../kernel/access/list-api-keys.ts'
import type { SystemActor } from '../../../kernel/auth/actor.ts'
import type { IssuedKey, KeyIssuer } from '../../../kernel/auth/issue-api-key.ts'
import type { Environment } from '../../../kernel/basics/tenant.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
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
  summary: 'Create an API key and show it once',
  usage: [
    businessUsage,
    '--service NAME         merchant or books',
    testUsage,
    '--scopes LIST          scopes separated by commas, or all',
    '--name TEXT            what it is for',
    '--allow LIST           addresses or CIDR ranges that can use it (default: all)',
    '--expires DATE         when it stops working, for example 2030-01-31T00:00:00Z',
    '--created-by ADDRESS   member who is responsible for it (default: the only owner)',
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
    const issued = await runOperation(access.createApiKey, context, actor, {
      service: issuer.name,
      name: requiredOption(options, 'name'),
      scopes: scopes.includes('all') ? [...issuer.scopes] : scopes,
      allowedAddresses: allowOption(options),
      expiresAt: readDate(options, 'expires')?.toISOString(),
      createdBy,
    })
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
    '--overlap-hours N      how long the old key still works (default: 24)',
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    key: { type: 'string' },
    'overlap-hours': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'live', 'cli keys rotate')
    const { id } = await findKey(context, options, actor)
    const overlapSeconds = readWholeNumber(options, 'overlap-hours', 24) * 3600
    const issued = await runOperation(access.rotateApiKey, context, actor, { id, overlapSeconds })
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
    const actor = await commandActor(context, options, 'live', 'cli keys list')
    const keys = await runOperation(access.listApiKeys, context, actor, {})
    if (options.json) {
      printJson(keys)
      return 0
    }
    for (const key of keys) for (const line of describeKey(key)) print(line)
    if (keys.length === 0) print('No keys yet. Create one with `cli keys create`.')
    return 0
  },
}

export const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key; takes effect within a second',
  usage: [businessUsage, '--key ID               the key'],
  options: { business: { type: 'string' }, key: { type: 'string' } },
  async run({ context }, options) {
    const actor = await commandActor(context, options, 'live', 'cli keys revoke')
    const { id } = await findKey(context, options, actor)
    const { hint, name } = await runOperation(access.revokeApiKey, context, actor, { id })
    print(`Revoked ${hint} (${name}).`)
    return 0
  },
}

function printIssued(issued: IssuedKey, options: CommandOptions): void {
  const { id, text, scopes, environment } = issued
  if (options.json) {
    printJson({ id, key: text, scopes, environment })
    return
  }
  print(text)
  print()
  print(`Id ${id}. The key is shown only once; the database stores its hash.`)
}

function describeKey(key: ApiKeyView): string[] {
  const { service, environment, allowedAddresses, expiresAt, lastUsedAt } = key
  const state = key.state.padEnd(7)
  return [
    `${key.id}  ${key.hint}  ${state}  ${service} ${environment}  ${key.name}`,
    `  scopes     ${key.scopes.join(', ')}`,
    `  addresses  ${allowedAddresses.length === 0 ? 'all' : allowedAddresses.join(', ')}`,
    `  created    ${key.createdAt.toISOString()} by ${key.creatorEmail}${goneText(key)}`,
    `  expires    ${expiresAt?.toISOString() ?? 'never'}`,
    `  last used  ${lastUsedAt?.toISOString() ?? 'never'}`,
    ...(key.revokedAt ? [`  revoked    ${key.revokedAt.toISOString()}`] : []),
  ]
}

function goneText({ isCreatorGone }: ApiKeyView): string {
  return isCreatorGone ? ', who has left the business' : ''
}

async function findKey(
  context: CommandWorld['context'],
  options: CommandOptions,
  actor: SystemActor,
): Promise<ApiKeyView> {
  const id = requiredOption(options, 'key')
  const keys = await runOperation(access.listApiKeys, context, actor, {})
  const key = keys.find((candidate) => candidate.id === id)
  if (!key) throw new UsageError(`there is no key ${id}; see \`cli keys list\``)
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

// The creator of a key can't approve what the key requests, so every key names a person: the only
// owner, unless another is given.
async function findCreator(
  context: CommandWorld['context'],
  options: CommandOptions,
  actor: SystemActor,
): Promise<string> {
  const members = await runOperation(access.listMembers, context, actor, {})
  if (options['created-by'] === undefined) {
    const [owner, ...others] = members.filter(({ role }) => role === 'owner')
    if (owner && others.length === 0) return owner.personId
    const owners = owner ? `several owners: ${emails([owner, ...others])}` : 'no owner'
    throw new UsageError(`--created-by is missing, and the business has ${owners}`)
  }
  const named = requiredOption(options, 'created-by').toLowerCase()
  const creator = members.find(({ email }) => email === named)
  if (!creator) throw new UsageError(`--created-by: ${named} is not a member of the business`)
  return creator.personId
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

// An empty list would allow every address, which is never meant: most likely a variable of a script
// is not set.
function allowOption(options: CommandOptions): string[] {
  const addresses = listOption(options, 'allow')
  if (options.allow === undefined || addresses.length > 0) return addresses
  throw new UsageError('--allow names no address; leave it out to allow all')
}

function readDate(options: CommandOptions, name: string): Date | null {
  const text = options[name]
  if (typeof text !== 'string') return null
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new UsageError(`--${name} is not a date: ${text}`)
  return date
}

function readWholeNumber(options: CommandOptions, name: string, fallback: number): number {
  const text = options[name]
  if (typeof text !== 'string') return fallback
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} must be a whole number`)
  return Number.parseInt(text, 10)
}
