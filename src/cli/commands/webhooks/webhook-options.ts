// Options shared by the webhook commands: the endpoint and its service.
import { type EndpointService, endpointServices } from '../../../app/endpoints.ts'
import type { SystemActor } from '../../../kernel/auth/actor.ts'
import { Fault } from '../../../kernel/basics/fault.ts'
import { isUuid } from '../../../kernel/basics/id.ts'
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import type { Endpoint } from '../../../kernel/webhooks/endpoint.ts'
import { meantTenant } from '../../core/choose-business.ts'
import {
  type CommandOptions,
  type CommandWorld,
  requiredOption,
  UsageError,
} from '../../core/command.ts'

export const serviceUsage = '--service NAME         merchant or books'
export const endpointUsage = '--endpoint ID          the endpoint (see `cli webhooks list`)'

// These commands name the environment with --test, like all commands that act for a business.
export async function actorOption(
  { context }: Pick<CommandWorld, 'context'>,
  options: CommandOptions,
  name: string,
): Promise<SystemActor> {
  return { ...(await meantTenant(context, options)), kind: 'system', name }
}

export function serviceOption(options: CommandOptions): EndpointService {
  const name = requiredOption(options, 'service')
  const found = endpointServices.find(({ profile }) => profile.service === name)
  if (found) return found
  const known = endpointServices.map(({ profile }) => profile.service).join(' or ')
  throw new UsageError(`--service must be ${known}`)
}

// An id belongs to one service, so the command needs no --service.
export async function endpointOption(
  { context }: Pick<CommandWorld, 'context'>,
  options: CommandOptions,
  actor: SystemActor,
): Promise<EndpointService & { readonly endpoint: Endpoint }> {
  const id = uuidOption(options, 'endpoint')
  for (const service of endpointServices) {
    const { getEndpoint } = service.operations
    const endpoint = await unlessMissing(runOperation(getEndpoint, context, actor, { id }))
    if (endpoint) return { ...service, endpoint }
  }
  const where = actor.environment === 'test' ? 'in its sandbox' : '(use --test for the sandbox)'
  throw new UsageError(`the business has no endpoint ${id} ${where}`)
}

// Undefined if the service has no such object.
export async function unlessMissing<Result>(act: Promise<Result>): Promise<Result | undefined> {
  try {
    return await act
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not_found') return undefined
    throw error
  }
}

export function uuidOption(options: CommandOptions, name: string): string {
  const id = requiredOption(options, name)
  if (!isUuid(id)) throw new UsageError(`--${name} is not an id: ${id}`)
  return id.toLowerCase()
}

export function momentOption(options: CommandOptions, name: string): Date {
  const text = requiredOption(options, name)
  const moment = new Date(text)
  // A day without a time would mean UTC, and a time without a zone the zone of this machine.
  if (/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(moment.getTime())) return moment
  throw new UsageError(`--${name} must be a time like 2030-01-31T12:00:00Z, not ${text}`)
}

// Commands send with their own settings. If these differ from the service's, an address that the
// service can reach is refused here, so the message names the setting.
export function settingsHint(
  { webhookAllow, webhookCaFile }: CommandWorld['settings'],
  error: string | null,
): string | undefined {
  if (error === 'address' && webhookAllow === undefined) {
    return `The address is not public. ${missingSetting('WEBHOOK_ALLOW')}`
  }
  if (error === 'tls' && webhookCaFile === undefined) {
    return `The certificate is not trusted. ${missingSetting('WEBHOOK_CA_FILE')}`
  }
  return undefined
}

// The hint for an endpoint whose address the settings of this command don't allow.
export async function refusedHere(
  { context, settings }: Pick<CommandWorld, 'context' | 'settings'>,
  url: string,
): Promise<string | undefined> {
  const vetted = await context.egress.vet(url, AbortSignal.timeout(vettingMs))
  const isInside = 'problem' in vetted && vetted.problem === 'address'
  return isInside ? settingsHint(settings, 'address') : undefined
}

const vettingMs = 4000

function missingSetting(name: string): string {
  return `If the service runs with ${name}, set the same ${name} for this command.`
}

// Adds the hint when an address is registered.
export async function hintingAtSettings<Result>(
  { settings }: Pick<CommandWorld, 'settings'>,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    const isAboutUrl = error instanceof Fault && /public address/.test(error.message)
    const hint = isAboutUrl && settingsHint(settings, 'address')
    if (hint) report(hint)
    throw error
  }
}

// An address that is registered twice receives every event twice, so the command says so.
export async function reportDuplicates(
  { context }: Pick<CommandWorld, 'context'>,
  actor: SystemActor,
  { listEndpoints }: EndpointService['operations'],
  { id }: Endpoint,
): Promise<void> {
  const endpoints = await runOperation(listEndpoints, context, actor, {})
  const ids = endpoints.find((endpoint) => endpoint.id === id)?.duplicateIds ?? []
  if (ids.length === 0) return
  const others = ids.join(', ')
  report(
    `Warning: the same address is also registered as ${others}, so it receives each event more than once.`,
  )
}

// Goes to standard error, so that standard output contains only the result.
export function report(line: string): void {
  process.stderr.write(`${line}\n`)
}
