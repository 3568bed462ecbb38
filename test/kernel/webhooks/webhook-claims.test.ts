// Claims that expire or race: a late result must not lose a delivery, nor count for another claim.
import { expect, it } from 'vitest'
import { booksWebhooks } from '../../../src/books/webhooks/webhook-profile.ts'
import { assertDefined } from '../../../src/kernel/basics/assert.ts'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Tx } from '../../../src/kernel/db/database.ts'
import { finishEndpointsSchedule } from '../../../src/kernel/endpoints/finish-endpoints.ts'
import { switchOnEndpoint } from '../../../src/kernel/endpoints/switch-on.ts'
import { shardOf } from '../../../src/kernel/jobs/job.ts'
import { attemptDelivery } from '../../../src/kernel/webhooks/attempt-delivery.ts'
import { createBulkheads } from '../../../src/kernel/webhooks/bulkheads.ts'
import { createClaimer } from '../../../src/kernel/webhooks/claim-deliveries.ts'
import {
  type Claim,
  type Claimed,
  listClaimed,
  lockDeliveryForRetry,
  lockDueDeliveries,
} from '../../../src/kernel/webhooks/claim-store.ts'
import {
  updateDeliveriesToEnded,
  updateHeldToDue,
} from '../../../src/kernel/webhooks/hold-store.ts'
import { listDueEndpoints } from '../../../src/kernel/webhooks/queue-store.ts'
import { recordResults } from '../../../src/kernel/webhooks/record-attempts.ts'
import type { ManualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import type { Receiver } from '../../support/receiver.ts'
import { useFreshWebhookWorlds } from '../../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'
import type { World } from '../../support/world.ts'

let clock: ManualClock
let receiver: Receiver
let world: World
let tenant: Tenant
let endpointId: string

useFreshWebhookWorlds(async (fresh) => {
  ;({ clock, world, receiver, tenant } = fresh)
  endpointId = (await newEndpoint(world, tenant, receiver.url, 'books')).id
  await newEvent(world, tenant, { service: 'books', type: 'contact.test' })
})

async function setEndpoint(state: 'on' | 'off'): Promise<void> {
  await world.database.sql`
    update kernel.webhook_endpoints
    set state = ${state},
      state_since = ${clock.now()}
    where id = ${endpointId}`
}

async function claimed(): Promise<Claimed> {
  const [claim] = await createClaimer(world.context, createBulkheads(clock))(true)
  return assertDefined(claim, 'nothing is due')
}

// How many of them held.
async function record(...claims: readonly Claimed[]): Promise<number> {
  const results = await Promise.all(
    claims.map((claim) => attemptDelivery(world.context, booksWebhooks, claim)),
  )
  return (await recordResults(world.context, () => booksWebhooks, results)).length
}

// Someone retries a delivery on hold, after its endpoint was switched on and before it is resumed.
async function retryHeld(): Promise<Claim> {
  await setEndpoint('off')
  await world.deliveries?.drain()
  const [held] = await deliveriesOf(world, tenant)
  expect(held?.state).toBe('held')
  await setEndpoint('on')
  const { id } = assertDefined(held, 'there is no delivery')
  const [event] = await world.database.sql<{ id: string }[]>`select id from kernel.events`
  const eventId = assertDefined(event, 'there is no event').id
  const now = clock.now()
  const claimId = world.context.ids.uuid()
  const lease = { shard: shardOf(tenant), claimId, leaseUntil: addSeconds(now, 25), now }
  const claim = await world.database.transaction((tx) =>
    lockDeliveryForRetry(tx, lease, { ...tenant, id, endpointId, eventId }),
  )
  return assertDefined(claim, 'someone else has it')
}

it('a retry that is put on hold while its endpoint is switched on is resumed by a schedule', async () => {
  // The process that was to make it has died, and the endpoint is off again.
  await retryHeld()
  await setEndpoint('off')
  clock.advance(30_000)
  const retry = await claimed()
  expect(retry).toMatchObject({ endpointState: 'off', scheduledAt: expect.any(Date) })
  const owner = { kind: 'system', name: 'test', ...tenant } as const
  await switchOnEndpoint(world.context, owner, booksWebhooks, endpointId)
  await record(retry)
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'held' }])
  await finishEndpointsSchedule.run(world.context, new AbortController().signal)
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'open', isQueued: true }])
  await expectInvariants(world.database)
})

it('an outcome that comes with that of a later claim is no outcome of it', async () => {
  await setEndpoint('off')
  const late = await claimed()
  await setEndpoint('on')
  clock.advance(30_000)
  expect(await record(late, await claimed())).toBe(1)
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'delivered' }])
  expect(await attemptsOf(world, tenant)).toHaveLength(1)
  await expectInvariants(world.database)
})

it('a failure that comes with that of a later claim is logged once', async () => {
  receiver.answer((_, response) => response.writeHead(500).end())
  const late = await claimed()
  clock.advance(30_000)
  expect(await record(late, await claimed())).toBe(1)
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'open', isQueued: true }])
  expect(await attemptsOf(world, tenant)).toMatchObject([{ attemptNumber: 1 }])
  await expectInvariants(world.database)
})

it('a retry of a delivery on hold that arrives ends it, and nothing is left to resume', async () => {
  const [retry] = await listClaimed(world.database.sql, [await retryHeld()])
  const queued = { shard: shardOf(tenant), endpointId, now: clock.now() }
  const resume = () => world.database.transaction((tx) => updateHeldToDue(tx, tenant, queued, 10))
  expect(await resume()).toBe(0)
  expect(await record(assertDefined(retry, 'a delivery vanished'))).toBe(1)
  expect(await resume()).toBe(0)
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'delivered', isQueued: false }])
  expect(await attemptsOf(world, tenant)).toMatchObject([{ attemptNumber: 1 }])
  await expectInvariants(world.database)
})

it('a claim leaves what is on hold alone', async () => {
  await setEndpoint('off')
  await world.deliveries?.drain()
  await setEndpoint('on')
  const objectId = await newEvent(world, tenant, { service: 'books', type: 'contact.test' })
  const bulkheads = createBulkheads(clock)
  bulkheads.start({ ...tenant, endpointId })(false)
  const claims = await createClaimer(world.context, bulkheads)(true)
  expect(claims.map(({ data }) => JSON.parse(data).id)).toEqual([objectId])
})

it('one whose turn comes later than it was planned for is taken all the same', async () => {
  // As claims of earlier versions left it when their process died.
  await world.database.sql`
    update kernel.webhook_queue
    set run_at = ${addSeconds(clock.now(), 25)}`
  clock.advance(25_000)
  expect(await claimed()).toMatchObject({ attempts: 0 })
})

it('a few are taken from a long backlog without reading the rest', async () => {
  const { database } = world
  // Knowing that others have little, the server would rather read and sort what this one has.
  await database.sql`
    insert into kernel.webhook_queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
    select shard, md5(other::text)::uuid, environment, gen_random_uuid(), md5(other::text)::uuid,
      event_id, run_at, run_at
    from kernel.webhook_queue
    cross join generate_series(1, 100) as other
    cross join generate_series(1, 50)
    union all
    select shard, business_id, environment, gen_random_uuid(), endpoint_id, event_id, run_at, run_at
    from kernel.webhook_queue
    cross join generate_series(1, 10000)`
  await database.sql`analyze kernel.webhook_queue`
  const due = (await listDueEndpoints(database.sql, clock.now())).find(
    (one) => one.endpointId === endpointId,
  )
  const wanted = [{ ...assertDefined(due, 'nothing is due'), limit: 8 }]
  const now = clock.now()
  const request = { claimId: world.context.ids.uuid(), leaseUntil: addSeconds(now, 25), now }
  await database.transaction(async (tx) => {
    const before = await rowsRead(tx)
    expect(await lockDueDeliveries(tx, request, wanted)).toHaveLength(8)
    expect((await rowsRead(tx)) - before).toBeLessThan(100)
  })
})

it.each([
  ['resumed', updateHeldToDue],
  ['ended', updateDeliveriesToEnded],
])('a few of many that are on hold are %s without the rest being read', async (_, update) => {
  const { database } = world
  // What the server knows is of the time before they were held.
  await database.sql`analyze kernel.webhook_queue`
  await database.sql`
    insert into kernel.webhook_queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
    select shard, business_id, environment, gen_random_uuid(), endpoint_id, event_id, 'infinity',
      run_at
    from kernel.webhook_queue
    cross join generate_series(1, 5000)`
  const queued = { shard: shardOf(tenant), endpointId, now: clock.now() }
  await database.transaction(async (tx) => {
    const before = await rowsRead(tx)
    expect(await update(tx, tenant, queued, 10)).toBe(10)
    expect((await rowsRead(tx)) - before).toBeLessThan(100)
  })
})

// By this connection, as far as it has not told others.
async function rowsRead(tx: Tx): Promise<number> {
  const [read] = await tx<{ rows: bigint }[]>`
    select seq_tup_read + idx_tup_fetch as rows
    from pg_stat_xact_user_tables
    where relid = 'kernel.webhook_queue'::regclass`
  return Number(assertDefined(read, 'no statistics').rows)
}
