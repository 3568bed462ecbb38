// Operations on the deliveries to a service's webhook endpoints: reading the log, and sending
// again.
import { z } from 'zod'
import { notFound } from '../basics/fault.ts'
import { shardOf } from '../jobs/job.ts'
import { operationsOf } from '../operations/operation.ts'
import { adminRoles, everyRole } from '../operations/permission.ts'
import { dateTime, uuid } from '../operations/schemas.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import { findDelivery, listAttemptsOfDelivery } from '../webhooks/delivery-store.ts'
import { findEndpoint } from '../webhooks/endpoint-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { listLog, logMax } from './list-log.ts'
import { readExchanges } from './read-exchanges.ts'
import { redriveDeliveries } from './redrive-deliveries.ts'
import { countReplay, type ReplayProgress, replayEvents } from './replay-events.ts'
import { retryDelivery } from './retry-delivery.ts'
import { sendTestEvent } from './send-test-event.ts'

// The scopes that a key needs; none if the interface documents none.
export type EndpointScopes = {
  readonly list: readonly string[]
  readonly manage: readonly string[]
  readonly readLog: readonly string[]
  readonly retry: readonly string[]
}

// A replay of many events takes a while, so it can report its progress.
export type DeliveryContext = ServiceContext & {
  readonly onReplayed?: (progress: ReplayProgress) => void
  readonly onRedriven?: (endpointId: string, queued: number) => void
}

const defineOperation = operationsOf<DeliveryContext>()

export function deliveryOperations(profile: WebhookProfile, scopes: EndpointScopes) {
  return {
    listDeliveries: listOperation(profile, scopes),
    getDelivery: getOperation(profile, scopes),
    retryDelivery: retryOperation(profile, scopes),
    replayEvents: replayOperation(profile),
    redriveDeliveries: redriveOperation(profile),
    sendTestEvent: testOperation(profile),
  }
}

const listOperation = (profile: WebhookProfile, { readLog, manage }: EndpointScopes) =>
  defineOperation({
    name: `list-${profile.service}-webhook-deliveries`,
    summary: 'Read the delivery log of an endpoint',
    kind: 'read',
    input: z.strictObject({ id: uuid() }),
    scopes: readLog,
    roles: everyRole,
    async run(context, actor, { id }) {
      const endpoint = await findEndpoint(context.database.sql, actor, profile.service, id)
      if (!endpoint) throw notFound('webhook')
      return readExchanges(context, actor, profile, manage, await listLog(context, actor, id))
    },
  })

const getOperation = (profile: WebhookProfile, { readLog, manage }: EndpointScopes) =>
  defineOperation({
    name: `get-${profile.service}-webhook-delivery`,
    summary: 'Read one delivery, its endpoint and its attempts',
    kind: 'read',
    input: z.strictObject({ id: uuid() }),
    scopes: readLog,
    roles: everyRole,
    async run(context, actor, { id }) {
      const { sql } = context.database
      const delivery = await findDelivery(sql, actor, id)
      const endpoint =
        delivery && (await findEndpoint(sql, actor, profile.service, delivery.endpointId))
      if (!delivery || !endpoint) throw notFound('delivery')
      const wanted = { shard: shardOf(actor), deliveryId: id, limit: logMax }
      const stored = await listAttemptsOfDelivery(sql, actor, wanted)
      const attempts = await readExchanges(context, actor, profile, manage, stored)
      return { ...delivery, endpoint, attempts }
    },
  })

const retryOperation = (profile: WebhookProfile, { retry }: EndpointScopes) =>
  defineOperation({
    name: `retry-${profile.service}-webhook-delivery`,
    summary: 'Send a delivery again now',
    kind: 'write',
    input: z.strictObject({ id: uuid() }),
    scopes: retry,
    roles: adminRoles,
    run: (context, actor, { id }) => retryDelivery(context, actor, profile, id),
  })

const replayOperation = (profile: WebhookProfile) =>
  defineOperation({
    name: `replay-${profile.service}-webhook-events`,
    summary: 'Replay the events of a time range to one endpoint',
    kind: 'write',
    input: z.strictObject({
      id: uuid(),
      from: dateTime(),
      // Exclusive.
      to: dateTime(),
      types: z.array(z.string()).optional(),
      // Leaves out the events that have a delivery to this endpoint.
      isMissingOnly: z.boolean().default(false),
      // Only counts.
      isDryRun: z.boolean().default(false),
    }),
    scopes: [],
    roles: adminRoles,
    async run(context, actor, { id, types, isDryRun, ...range }) {
      const wish = { ...range, ...(types !== undefined && { types }) }
      const counts = isDryRun
        ? await countReplay(context, actor, profile, id, wish)
        : await replayEvents(context, actor, profile, id, wish, context.onReplayed)
      if (isDryRun || counts.missing + counts.again === 0) context.call.nothingChanged()
      return counts
    },
  })

const redriveOperation = (profile: WebhookProfile) =>
  defineOperation({
    name: `redrive-${profile.service}-webhook-deliveries`,
    summary: 'Queue the dead letters of one or all endpoints again',
    kind: 'write',
    input: z.strictObject({
      // Without it: all endpoints of the service. Endpoints that are off are only counted.
      endpointId: uuid().optional(),
      // Only counts.
      isDryRun: z.boolean().default(false),
    }),
    scopes: [],
    roles: adminRoles,
    async run(context, actor, { endpointId = null, isDryRun }) {
      const wish = { endpointId, isDryRun }
      const counts = await redriveDeliveries(context, actor, profile, wish, context.onRedriven)
      if (isDryRun || counts.every(({ count }) => count === 0)) context.call.nothingChanged()
      return counts
    },
  })

const testOperation = (profile: WebhookProfile) =>
  defineOperation({
    name: `send-${profile.service}-test-event`,
    summary: 'Send a test event to one webhook endpoint',
    kind: 'write',
    input: z.strictObject({ id: uuid() }),
    scopes: [],
    roles: adminRoles,
    run: (context, actor, { id }) => sendTestEvent(context, actor, profile, id),
  })
