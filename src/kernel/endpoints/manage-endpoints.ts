// Creates, changes and deletes the webhook endpoints of a business. The profile has the differences
// between the services; endpoint-operations.ts has the permissions.
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { lockBusiness } from '../auth/business-store.ts'
import type { Secrets } from '../auth/secrets.ts'
import { assertDefined, unreachable } from '../basics/assert.ts'
import { brokenRule, invalidField, notFound } from '../basics/fault.ts'
import type { SenderContext } from '../webhooks/attempt-delivery.ts'
import type { UrlProblem } from '../webhooks/egress-url.ts'
import { type Endpoint, endpointSecretRow, newEndpointSecret } from '../webhooks/endpoint.ts'
import {
  findEndpoint,
  findEndpointCount,
  insertEndpoint,
  lockEndpoint,
  updateEndpointSettings,
  updateEndpointToDeleted,
} from '../webhooks/endpoint-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { endDeliveries } from './end-deliveries.ts'
import { urlAdvice } from './url-advice.ts'

export type EndpointContext = SenderContext & { readonly secrets: Secrets }

export const urlMax = 500
// Per service and environment. Each endpoint costs a row in every transaction that publishes an
// event.
const endpointsMax = 100

// `eventTypes` is null for all event types, including future ones.
export type EndpointSettings = Pick<Endpoint, 'url' | 'eventTypes'>

// The secret is returned only here.
export async function createEndpoint(
  context: EndpointContext,
  actor: Actor,
  profile: WebhookProfile,
  settings: EndpointSettings,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const eventTypes = chosen(profile, settings.eventTypes)
  const url = await requirePublic(context, actor, settings.url)
  const { database, clock, ids, secrets } = context
  const secret = newEndpointSecret(ids)
  const id = ids.uuid()
  const { service } = profile
  return database.transaction(async (tx) => {
    await lockBusiness(tx, actor.businessId)
    if ((await findEndpointCount(tx, actor, service)) >= endpointsMax) {
      throw brokenRule(`A business has at most ${endpointsMax} webhooks.`)
    }
    const secretSealed = secrets.seal(secret, endpointSecretRow(id))
    const createdAt = clock.now()
    await insertEndpoint(tx, actor, { id, service, url, eventTypes, createdAt, secretSealed })
    await recordAct(tx, context, actor, {
      action: 'webhook.create',
      objectKind: 'webhook',
      objectId: id,
      detail: described(profile, { url, eventTypes }),
    })
    const endpoint = await findEndpoint(tx, actor, service, id)
    return { endpoint: assertDefined(endpoint, 'a new endpoint vanished'), secret }
  })
}

// Settings that are left out keep their value. Waiting deliveries go to the new address.
export async function updateEndpoint(
  context: EndpointContext,
  actor: Actor,
  profile: WebhookProfile,
  id: string,
  changes: Partial<EndpointSettings>,
): Promise<Endpoint> {
  const types = changes.eventTypes === undefined ? undefined : chosen(profile, changes.eventTypes)
  if (changes.url !== undefined) await requirePublic(context, actor, changes.url)
  const { service } = profile
  return context.database.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, actor, service, id)
    if (!endpoint) throw notFound('webhook')
    const settings = {
      url: changes.url ?? endpoint.url,
      eventTypes: types === undefined ? endpoint.eventTypes : types,
    }
    await updateEndpointSettings(tx, actor, id, { ...settings, now: context.clock.now() })
    await recordAct(tx, context, actor, {
      action: 'webhook.update',
      objectKind: 'webhook',
      objectId: id,
      detail: described(profile, settings),
    })
    return { ...endpoint, ...settings }
  })
}

// How long a caller waits for a backlog to end.
const endingMs = 5000

export async function deleteEndpoint(
  context: EndpointContext,
  actor: Actor,
  { service }: WebhookProfile,
  id: string,
): Promise<void> {
  const now = context.clock.now()
  await context.database.transaction(async (tx) => {
    if (!(await updateEndpointToDeleted(tx, actor, service, id, now))) throw notFound('webhook')
    await recordAct(tx, context, actor, {
      action: 'webhook.delete',
      objectKind: 'webhook',
      objectId: id,
    })
  })
  await endDeliveries(context, actor, id, AbortSignal.timeout(endingMs))
}

function chosen(profile: WebhookProfile, types: readonly string[] | null) {
  if (types === null) return null
  const known = profile.eventTypes
  if (known === null) throw invalidField('events', 'Endpoints of this service get every event.')
  if (types.length === 0) throw invalidField('events', 'At least one.')
  const test = types.find((type) => type === profile.testEventType)
  if (test !== undefined) {
    throw invalidField('events', `${test} cannot be chosen: it is sent to any endpoint on request.`)
  }
  const unknown = types.filter((type) => !known.includes(type))
  if (unknown.length > 0) {
    throw invalidField('events', `Unknown: ${unknown.join(', ')}. Allowed: ${known.join(', ')}.`)
  }
  return known.filter((type) => types.includes(type))
}

const vettingMs = 4000

// A name that does not resolve now is accepted: every attempt resolves it again.
async function requirePublic(
  { egress }: EndpointContext,
  actor: Actor,
  url: string,
): Promise<string> {
  if (url.length > urlMax) throw invalidField('url', `At most ${urlMax} characters.`)
  const vetted = await egress.vet(url, AbortSignal.timeout(vettingMs))
  if (!('problem' in vetted) || vetted.problem === 'unresolved') return url
  const { problem } = vetted
  throw invalidField('url', problem === 'form' ? urlAdvice(url) : messageOf(problem, actor))
}

// Only operators may see whether a name exists in their own network.
function messageOf(problem: Exclude<UrlProblem, 'form' | 'unresolved'>, { kind }: Actor): string {
  if (kind !== 'system') {
    return 'The host must resolve to public addresses only.'
  }
  switch (problem) {
    case 'address':
      return 'Must resolve to a public address.'
    case 'no_such_name':
      return 'The host name must exist.'
    default:
      return unreachable(problem)
  }
}

// The URL can contain a token of the receiver. The host is enough to recognise it.
function described({ eventTypes: known }: WebhookProfile, { url, eventTypes }: EndpointSettings) {
  return { host: new URL(url).host, ...(known !== null && { events: eventTypes ?? 'all' }) }
}
