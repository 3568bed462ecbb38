// Events sent again: a time range (replay), or all dead letters (redrive).
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { booksWebhooks } from '../../../src/books/webhooks/webhook-profile.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { redriveDeliveries } from '../../../src/kernel/endpoints/redrive-deliveries.ts'
import {
  countReplay,
  type ReplayProgress,
  type ReplayWish,
  replayEvents,
} from '../../../src/kernel/endpoints/replay-events.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { useWebhookWorld } from '../../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'

const { world, clock, drain, answer, receiver } = useWebhookWorld()
let tenant: Tenant
beforeEach(async () => {
  tenant = { businessId: await world().business(), environment: 'live' }
  clock.advance(86_400_000)
})
afterAll(() => expectInvariants(world().database))

const actor = () => ({ kind: 'system', name: 'test', ...tenant }) as const
const minute = 60_000
const later = (ms: number) => new Date(clock.now().getTime() + ms)

// All that there is, unless said otherwise.
const wish = (wanted: Partial<ReplayWish> = {}) => ({
  from: later(-86_400_000),
  to: later(86_400_000),
  ...wanted,
})
const replay = (
  id: string,
  wanted?: Partial<ReplayWish>,
  onProgress?: (progress: ReplayProgress) => void,
) => replayEvents(world().context, actor(), merchantWebhooks, id, wish(wanted), onProgress)
const count = (id: string, wanted?: Partial<ReplayWish>) =>
  countReplay(world().context, actor(), merchantWebhooks, id, wish(wanted))
const ids = () => receiver().received.map(({ headers }) => headers['x-service-event-id'])
const types = () => receiver().received.map(({ headers }) => headers['x-service-event'])

describe('a replay', () => {
  it('sends what was delivered once more, under the same ids', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    for (let number = 0; number < 3; number += 1) await newEvent(world(), tenant)
    await drain()
    const told = ids()
    const deliveries = receiver().received.map(({ headers }) => headers['x-service-delivery-id'])
    receiver().received.length = 0
    expect(await count(id)).toEqual({ missing: 0, again: 3, waiting: 0 })
    expect(receiver().received).toEqual([])
    expect(await replay(id)).toEqual({ missing: 0, again: 3, waiting: 0 })
    await drain()
    expect(ids().toSorted()).toEqual(told.toSorted())
    const again = receiver().received.map(({ headers }) => headers['x-service-delivery-id'])
    expect(again.toSorted()).toEqual(deliveries.toSorted())
    expect(receiver().received.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '2',
      '2',
      '2',
    ])
    const states = await deliveriesOf(world(), tenant)
    expect(states.every(({ state, isQueued }) => state === 'delivered' && !isQueued)).toBe(true)
  })

  it('gives what happened before the endpoint a delivery with the whole schedule', async () => {
    await newEvent(world(), tenant)
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    expect(await count(id)).toEqual({ missing: 1, again: 0, waiting: 0 })
    answer(500)
    expect(await replay(id)).toEqual({ missing: 1, again: 0, waiting: 0 })
    for (const minutes of [0, 1, 5, 30, 120]) {
      clock.advance(minutes * minute)
      await drain()
    }
    expect(await attemptsOf(world(), tenant)).toHaveLength(5)
    expect(await deliveriesOf(world(), tenant)).toMatchObject([{ state: 'dead_lettered' }])
  })

  it('leaves alone what is on its way', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    answer(500)
    await newEvent(world(), tenant)
    await drain()
    expect(await replay(id)).toEqual({ missing: 0, again: 0, waiting: 1 })
    await drain()
    expect(await attemptsOf(world(), tenant)).toHaveLength(1)
  })

  it('takes the events from the first moment on, and without those of the last', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    const moments: Date[] = []
    for (let number = 0; number < 4; number += 1) {
      moments.push(clock.now())
      await newEvent(world(), tenant, { type: `payment.n${number}` })
      clock.advance(1)
    }
    await drain()
    receiver().received.length = 0
    const [, from = clock.now(), , to = clock.now()] = moments
    expect(await count(id, { from, to })).toMatchObject({ again: 2 })
    await replay(id, { from, to })
    await drain()
    expect(types().toSorted()).toEqual(['payment.n1', 'payment.n2'])
  })

  it('takes only the types that are named, and never those of other services', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    await newEvent(world(), tenant, { type: 'payment.one' })
    await newEvent(world(), tenant, { type: 'payment.two' })
    await newEvent(world(), tenant, { service: 'books', type: 'payment.one' })
    await newEvent(world(), { ...tenant, environment: 'test' }, { type: 'payment.one' })
    await drain()
    receiver().received.length = 0
    await replay(id, { types: ['payment.one'] })
    await drain()
    expect(types()).toEqual(['payment.one'])
  })

  it('takes only what the endpoint has chosen, and refuses other types', async () => {
    await newEvent(world(), tenant, { service: 'books', type: 'contact.test' })
    await newEvent(world(), tenant, { service: 'books', type: 'lead.test' })
    const { id } = await newEndpoint(world(), tenant, receiver().url, 'books', ['lead.test'])
    const { context } = world()
    expect(await replayEvents(context, actor(), booksWebhooks, id, wish())).toEqual({
      missing: 1,
      again: 0,
      waiting: 0,
    })
    const unwanted = wish({ types: ['contact.test'] })
    await expect(replayEvents(context, actor(), booksWebhooks, id, unwanted)).rejects.toMatchObject(
      { kind: 'invalid_request' },
    )
  })

  it('of what is missing sends nothing twice, however often it is started', async () => {
    await newEvent(world(), tenant, { type: 'payment.before' })
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    await newEvent(world(), tenant, { type: 'payment.after' })
    await drain()
    receiver().received.length = 0
    for (const missing of [1, 0, 0]) {
      expect(await replay(id, { isMissingOnly: true })).toMatchObject({ missing, again: 0 })
      await drain()
    }
    expect(types()).toEqual(['payment.before'])
  })

  it('of many tells how far it is, and loses nothing when it is cut off and started again', async () => {
    const many = 1101
    const { database, context } = world()
    await database.sql`
      insert into kernel.events
        (business_id, environment, id, service, type, object_id, data, created_at)
      select ${tenant.businessId}, 'live',
        (substr(${context.ids.uuid()}, 1, 23) || '-' || lpad(to_hex(number), 12, '0'))::uuid,
        'merchant', 'payment.many', ${tenant.businessId}, '{}', ${clock.now()}
      from generate_series(1, ${many}) as number`
    const { id } = await newEndpoint(world(), tenant, 'https://127.0.0.1:1/')
    const seen: number[] = []
    const cut = replay(id, { isMissingOnly: true }, ({ missing }) => {
      seen.push(missing)
      if (missing === 1000) throw new Error('cut')
    })
    await expect(cut).rejects.toThrow('cut')
    expect(seen).toEqual([500, 1000])
    expect(await replay(id, { isMissingOnly: true })).toMatchObject({ missing: many - 1000 })
    expect(await deliveriesOf(world(), tenant)).toHaveLength(many)
    await database.sql`
      delete from kernel.webhook_queue
      where business_id = ${tenant.businessId}`
    await database.sql`
      delete from kernel.webhook_deliveries
      where business_id = ${tenant.businessId}`
  })

  it('is refused backwards, and to endpoints that are gone or off', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    await expect(replay(id, { from: clock.now(), to: clock.now() })).rejects.toMatchObject({
      kind: 'invalid_request',
    })
    const set = (state: string) => world().database.sql`
      update kernel.webhook_endpoints
      set state = ${state},
        state_since = ${clock.now()}
      where id = ${id}`
    await set('off')
    await expect(replay(id)).rejects.toMatchObject({ kind: 'invalid_request' })
    await set('deleted')
    await expect(count(id)).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('is written into the audit log', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    await newEvent(world(), tenant)
    await drain()
    await replay(id)
    const [act] = await world().database.sql`
      select detail
      from kernel.audit_log
      where object_id = ${id}
        and action = 'webhook.replay'`
    expect(act?.detail).toMatchObject({ again: 1, missing: 0 })
  })
})

describe('a redrive', () => {
  const redrive = (endpointId: string | null, isDryRun = false) =>
    redriveDeliveries(world().context, actor(), merchantWebhooks, { endpointId, isDryRun })

  async function deadLetter(events: number): Promise<void> {
    answer(500)
    for (let number = 0; number < events; number += 1) await newEvent(world(), tenant)
    for (const minutes of [0, 1, 5, 30, 120]) {
      clock.advance(minutes * minute)
      await drain()
    }
    receiver().received.length = 0
  }

  it('gives every dead letter of an endpoint one more attempt', async () => {
    const { id } = await newEndpoint(world(), tenant, receiver().url)
    await deadLetter(3)
    expect(await redrive(id, true)).toEqual([{ endpointId: id, count: 3, leftAlone: 0 }])
    await drain()
    expect(receiver().received).toEqual([])
    expect(await redrive(id)).toEqual([{ endpointId: id, count: 3, leftAlone: 0 }])
    // Started again before they were sent, it queues nothing twice.
    expect(await redrive(id)).toEqual([{ endpointId: id, count: 0, leftAlone: 0 }])
    await drain()
    expect(receiver().received).toHaveLength(3)
    expect(await redrive(id, true)).toEqual([{ endpointId: id, count: 3, leftAlone: 0 }])
    answer(200)
    await redrive(id)
    await drain()
    expect(await redrive(id, true)).toEqual([{ endpointId: id, count: 0, leftAlone: 0 }])
    const states = (await deliveriesOf(world(), tenant)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['delivered']))
  })

  it('of a whole business takes all its endpoints that are on, and no one else’s', async () => {
    const first = await newEndpoint(world(), tenant, receiver().url)
    const second = await newEndpoint(world(), tenant, receiver().url)
    await deadLetter(1)
    const counts = await redrive(null)
    expect(counts.toSorted((one, other) => (one.endpointId < other.endpointId ? -1 : 1))).toEqual([
      { endpointId: first.id, count: 1, leftAlone: 0 },
      { endpointId: second.id, count: 1, leftAlone: 0 },
    ])
    await drain()
    expect(receiver().received).toHaveLength(2)
    await expect(redrive(tenant.businessId)).rejects.toMatchObject({ kind: 'not_found' })
  })
})
