// Reading the events of both services, with how they were delivered.
import { z } from 'zod'
import { notFound } from '../basics/fault.ts'
import { operationsOf } from '../operations/operation.ts'
import { everyRole } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import {
  type FoundEvent,
  findEvent,
  type ListedEvent,
  listEvents as listStoredEvents,
} from '../webhooks/event-list-store.ts'
import { listDeliveriesOfEvents, type SentDelivery } from '../webhooks/sent-event-store.ts'

const defineOperation = operationsOf<ServiceContext>()

const pageSize = 50

export type EventView = FoundEvent & { readonly deliveries: readonly SentDelivery[] }

export type EventPage = {
  readonly events: readonly ListedEvent[]
  // For the next page; null on the last one.
  readonly nextBefore: string | null
}

export const listEvents = defineOperation({
  name: 'list-events',
  summary: 'List the events of both services, newest first',
  kind: 'read',
  input: z.strictObject({ type: z.string().max(100).optional(), before: uuid().optional() }),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor, { type, before }): Promise<EventPage> {
    const events = await listStoredEvents(database.sql, actor, { type, before, limit: pageSize })
    const isFull = events.length === pageSize
    return { events, nextBefore: isFull ? (events.at(-1)?.id ?? null) : null }
  },
})

export const getEvent = defineOperation({
  name: 'get-event',
  summary: 'Read one event and its deliveries',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<EventView> {
    const event = await findEvent(sql, actor, id)
    if (!event) throw notFound('event')
    return { ...event, deliveries: await listDeliveriesOfEvents(sql, actor, [id]) }
  },
})
