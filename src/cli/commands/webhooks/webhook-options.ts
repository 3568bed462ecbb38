// What the commands about webhooks share: which endpoint is meant, and of which service.
import { webhookProfiles } from '../../../app/background-work.ts'
import type { SystemActor } from '../../../kernel/auth/actor.ts'
import { Fault } from '../../../kernel/basics/fault.ts'
import { isUuid } from '../../../kernel/basics/id.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import type { Endpoint } from '../../../kernel/webhooks/endpoint.ts'
import { findEndpoint, listEndpoints } from '../../../kernel/webhooks/endpoint-store.ts'
import type { WebhookProfile } from '../../../kernel/webhooks/profile.ts'
import { meantTenant } from '../../core/choose-business.ts'
import {
  type CommandOptions,
  type CommandWorld,
  requiredOption,
  UsageError,
} from '../../core/command.ts'

export const serviceUsage = '--service NAME         merchant or books'
export const endpointUsage = '--endpoint ID          the endpoint (see `cli webhooks list`)'

// A key tells no environment here, so the commands say it like all others that act for a business.
export async function actorOption(
  { context }: Pick<CommandWorld, 'context'>,
  options: CommandOptions,
  name: string,
): Promise<SystemActor> {
  return { ...(await meantTenant(context, options)), kind: 'system', name }
}

export function serviceOption(options: CommandOptions): WebhookProfile {
  const name = requiredOption(options, 'service')
  const profile = webhookProfiles.find(({ service }) => service === name)
  if (profile) return profile
  const known = webhookProfiles.map(({ service }) => service).join(' or ')
  throw new UsageError(`--service must be ${known}`)
}

// An id belongs to one service, so the service need not be said.
export async function endpointOption(
  { context }: Pick<CommandWorld, 'context'>,
  options: CommandOptions,
  actor: SystemActor,
): Promise<{ endpoint: Endpoint; profile: WebhookProfile }> {
  const id = uuidOption(options, 'endpoint')
  for (const profile of webhookProfiles) {
    const endpoint = await findEndpoint(context.database.sql, actor, profile.service, id)
    if (endpoint) return { endpoint, profile }
  }
  const where = actor.environment === 'test' ? 'in its sandbox' : '(for the sandbox say --test)'
  throw new UsageError(`the business has no endpoint ${id} ${where}`)
}

export function uuidOption(options: CommandOptions, name: string): string {
  const id = requiredOption(options, name)
  if (!isUuid(id)) throw new UsageError(`--${name} is no id: ${id}`)
  return id.toLowerCase()
}

export function momentOption(options: CommandOptions, name: string): Date {
  const text = requiredOption(options, name)
  const moment = new Date(text)
  // A day alone would be read as UTC and a time without a zone as that of this machine.
  if (/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(moment.getTime())) return moment
  throw new UsageError(`--${name} must be a moment like 2030-01-31T12:00:00Z, not ${text}`)
}

// Commands send from where they run, with the settings that they were started with. Where those are
// not the service's, an address that it may reach is refused here, and nobody would guess why.
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

// What to say where the address of an endpoint may not be reached with the command's own settings.
export async function refusedHere(
  { context, settings }: Pick<CommandWorld, 'context' | 'settings'>,
  url: string,
): Promise<string | undefined> {
  const vetted = await context.egress.vet(url, { signal: AbortSignal.timeout(vettingMs) })
  const isInside = 'problem' in vetted && vetted.problem === 'address'
  return isInside ? settingsHint(settings, 'address') : undefined
}

const vettingMs = 4000

function missingSetting(name: string): string {
  return `If the service was started with ${name}, give this command the same ${name}.`
}

// For what registers an address.
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

// The same address may be registered more than once, as while one endpoint takes over from another;
// whoever does not mean it would wonder why everything arrives twice.
export async function reportTwins(
  { context }: Pick<CommandWorld, 'context'>,
  tenant: Tenant,
  endpoint: Endpoint,
): Promise<void> {
  const others = await listEndpoints(context.database.sql, tenant, endpoint.service)
  const twins = others.filter((one) => one.id !== endpoint.id && isTwin(one, endpoint))
  if (twins.length === 0) return
  const ids = twins.map(({ id }) => id).join(', ')
  report(`The same address is registered as ${ids} too: events arrive there once for each.`)
}

function isTwin(one: Endpoint, other: Endpoint): boolean {
  const addressOf = ({ url }: Endpoint) => new URL(url.replace(/#.*/, '')).href
  const { eventTypes } = other
  const isToldTheSame =
    one.eventTypes === null ||
    eventTypes === null ||
    one.eventTypes.some((type) => eventTypes.includes(type))
  return isToldTheSame && addressOf(one) === addressOf(other)
}

// Beside the answer, for the person at the terminal.
export function report(line: string): void {
  process.stderr.write(`${line}\n`)
}
