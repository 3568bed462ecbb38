// Operations on the webhook endpoints of one service. The profile says how the service sends; the
// scopes are those that its interface documents for keys.
import { z } from 'zod'
import { notFound } from '../basics/fault.ts'
import { operationsOf } from '../operations/operation.ts'
import { adminRoles, everyRole } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'
import { findEndpoint, listEndpoints } from '../webhooks/endpoint-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { deliveryOperations, type EndpointScopes } from './delivery-operations.ts'
import { createEndpoint, deleteEndpoint, updateEndpoint, urlMax } from './manage-endpoints.ts'
import {
  overlapHoursDefault,
  overlapHoursMax,
  promoteSecret,
  rotateSecret,
} from './rotate-secret.ts'
import { switchOnEndpoint } from './switch-on.ts'

const defineOperation = operationsOf<ServiceContext>()

const endpointId = z.strictObject({ id: uuid() })
const endpointUrl = z.string().max(urlMax, { error: `At most ${urlMax} characters.` })
// Null means all events, including future types.
const eventTypes = z.array(z.string()).nullable()

export function endpointOperations(profile: WebhookProfile, scopes: EndpointScopes) {
  return {
    listEndpoints: listOperation(profile, scopes),
    getEndpoint: getOperation(profile, scopes),
    createEndpoint: createOperation(profile, scopes),
    updateEndpoint: updateOperation(profile),
    deleteEndpoint: deleteOperation(profile, scopes),
    switchOnEndpoint: switchOnOperation(profile),
    rotateSecret: rotateOperation(profile),
    promoteSecret: promoteOperation(profile),
    ...deliveryOperations(profile, scopes),
  }
}

export type EndpointOperations = ReturnType<typeof endpointOperations>

// The same address can be registered more than once, for example while one endpoint replaces
// another. It then receives each event once per registration.
export type EndpointView = Endpoint & { readonly duplicateIds: readonly string[] }

const listOperation = ({ service }: WebhookProfile, { list }: EndpointScopes) =>
  defineOperation({
    name: `list-${service}-webhooks`,
    summary: 'List webhook endpoints',
    kind: 'read',
    input: z.strictObject({}),
    scopes: list,
    roles: everyRole,
    async run({ database }, actor): Promise<EndpointView[]> {
      return withDuplicates(await listEndpoints(database.sql, actor, service))
    },
  })

const getOperation = ({ service }: WebhookProfile, { list }: EndpointScopes) =>
  defineOperation({
    name: `get-${service}-webhook`,
    summary: 'Read one webhook endpoint, even a deleted one',
    kind: 'read',
    input: endpointId,
    scopes: list,
    roles: everyRole,
    async run({ database }, actor, { id }): Promise<Endpoint> {
      const endpoint = await findEndpoint(database.sql, actor, service, id)
      if (!endpoint) throw notFound('webhook')
      return endpoint
    },
  })

// The secret is returned only here.
const createOperation = (profile: WebhookProfile, { manage }: EndpointScopes) =>
  defineOperation({
    name: `create-${profile.service}-webhook`,
    summary: 'Register a webhook endpoint',
    kind: 'write',
    input: z.strictObject({ url: endpointUrl, eventTypes: eventTypes.default(null) }),
    scopes: manage,
    roles: adminRoles,
    async run(context, actor, input): Promise<Endpoint & { readonly secret: string }> {
      const { endpoint, secret } = await createEndpoint(context, actor, profile, input)
      return { ...endpoint, secret }
    },
  })

const updateOperation = (profile: WebhookProfile) =>
  defineOperation({
    name: `update-${profile.service}-webhook`,
    summary: 'Change the address or the events of a webhook endpoint',
    kind: 'write',
    // Fields that are left out keep their value.
    input: z.strictObject({
      id: uuid(),
      url: endpointUrl.optional(),
      eventTypes: eventTypes.optional(),
    }),
    scopes: [],
    roles: adminRoles,
    run: (context, actor, { id, url, eventTypes: types }): Promise<Endpoint> =>
      updateEndpoint(context, actor, profile, id, {
        ...(url !== undefined && { url }),
        ...(types !== undefined && { eventTypes: types }),
      }),
  })

const deleteOperation = (profile: WebhookProfile, { manage }: EndpointScopes) =>
  defineOperation({
    name: `delete-${profile.service}-webhook`,
    summary: 'Delete a webhook endpoint',
    kind: 'write',
    input: endpointId,
    scopes: manage,
    roles: adminRoles,
    async run(context, actor, { id }) {
      await deleteEndpoint(context, actor, profile, id)
      return { id }
    },
  })

const switchOnOperation = (profile: WebhookProfile) =>
  defineOperation({
    name: `switch-on-${profile.service}-webhook`,
    summary: 'Switch a webhook endpoint on again after too many failures',
    kind: 'write',
    input: endpointId,
    scopes: [],
    roles: adminRoles,
    run: (context, actor, { id }) => switchOnEndpoint(context, actor, profile, id),
  })

const overlapError = { error: `Must be a whole number from 0 to ${overlapHoursMax}.` }

const rotateOperation = (profile: WebhookProfile) =>
  defineOperation({
    name: `rotate-${profile.service}-webhook-secret`,
    summary: 'Give a webhook endpoint a new secret; shown once',
    kind: 'write',
    input: z.strictObject({
      id: uuid(),
      overlapHours: z
        .int(overlapError)
        .min(0, overlapError)
        .max(overlapHoursMax, overlapError)
        .default(overlapHoursDefault),
    }),
    scopes: [],
    roles: adminRoles,
    run: (context, actor, { id, overlapHours }) =>
      rotateSecret(context, actor, profile, id, overlapHours),
  })

const promoteOperation = (profile: WebhookProfile) =>
  defineOperation({
    name: `promote-${profile.service}-webhook-secret`,
    summary: 'End the overlap of a rotation now; only the new secret signs',
    kind: 'write',
    input: endpointId,
    scopes: [],
    roles: adminRoles,
    async run(context, actor, { id }) {
      await promoteSecret(context, actor, profile, id)
      return { id }
    },
  })

function withDuplicates(endpoints: readonly Endpoint[]): EndpointView[] {
  const all = endpoints.map((endpoint) => ({
    endpoint,
    address: new URL(endpoint.url.replace(/#.*/, '')).href,
  }))
  return all.map(({ endpoint, address }) => ({
    ...endpoint,
    duplicateIds: all
      .filter((one) => one.endpoint !== endpoint && one.address === address)
      .filter((one) => isToldTheSame(one.endpoint, endpoint))
      .map((one) => one.endpoint.id),
  }))
}

function isToldTheSame({ eventTypes: some }: Endpoint, { eventTypes: others }: Endpoint): boolean {
  return some === null || others === null || some.some((type) => others.includes(type))
}
