// Claims that run out or come beside each other: whatever is recorded late must neither lose a
// delivery nor count for another claim.
import { expect, it } from 'vitest'
import { booksWebhooks } from '../../../src/books/webhooks/webhook-profile.ts'
import { assertDefined } from '../../../src/kernel/basics/assert.ts'
import { addSeconds } from '../../../src/kernel/basics/clock.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import type { Tx } from '../../../src/kernel/db/database.ts'
import { switchOnEndpoint } from '../../../src/kernel/endpoints/switch-on.ts'
import { shardOf } from '../../../src/kernel/jobs/job.ts'
import { attemptDelivery } from '../../../src/kernel/webhooks/attempt-delivery.ts'
import { createClaimer } from '../../../src/kernel/webhooks/claim-deliveries.ts'
import {
  type Claim,
  lockDeliveryForRetry,
  lockDueDeliveries,
} from '../../../src/kernel/webhooks/claim-store.ts'
import { type Claimed, listClaimed } from '../../../src/kernel/webhooks/claimed-store.ts'
import {
  updateDeliveriesToEnded,
  updateHeldToOpen,
} from '../../../src/kernel/webhooks/held-store.ts'
import { createLanes } from '../../../src/kernel/webhooks/lanes.ts'
import { listDueEndpoints } from '../../../src/kernel/webhooks/queue-store.ts'
import { recordOutcomes } from '../../../src/kernel/webhooks/record-attempts.ts'
import type { ManualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import type { Receiver } from '../../support/receiver.ts'
import { useFreshWebhookWorlds } from '../../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'
import type { World } from '../../support/world.ts'
import { deferred, sessionsWaiting } from '../ledger/ledger-world.ts'

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
  const [claim] = await createClaimer(world.context, createLanes())(true)
  return assertDefined(claim, 'nothing is due')
}

// How many of them held.
async function record(...claims: readonly Claimed[]): Promise<number> {
  const attempts = await Promise.all(
    claims.map((claim) => attemptDelivery(world.context, booksWebhooks, claim)),
  )
  const outcomes = attempts.map(({ recorded }) => recorded)
  return (await recordOutcomes(world.context, () => booksWebhooks, outcomes)).length
}

// Somebody retries what was held, after its endpoint was switched on and before it goes on.
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
  return assertDefined(claim, 'somebody else has it')
}

it('a retry that is given up leaves what was planned meanwhile', async () => {
  // Whoever has asked for it dies under the claim. Off again.
  await retryHeld()
  await setEndpoint('off')
  clock.advance(30_000)
  const retry = await claimed()
  expect(retry).toMatchObject({ addressee: { state: 'off' }, stoppedAs: 'held', scheduledAt: null })
  // On again, and what was held goes on, before the worker gives the retry up.
  const owner = { kind: 'system', name: 'test', ...tenant } as const
  await switchOnEndpoint(world.context, owner, booksWebhooks, endpointId)
  await record(retry)
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

it('a retry that arrives while what was held goes on ends it', async () => {
  const [retry] = await listClaimed(world.database.sql, [await retryHeld()])
  const sent = await attemptDelivery(
    world.context,
    booksWebhooks,
    assertDefined(retry, 'a delivery vanished'),
  )
  const [changed, recorded] = [deferred(), deferred()]
  const queued = { shard: shardOf(tenant), endpointId, now: clock.now() }
  const goingOn = world.database.transaction(async (tx) => {
    expect(await updateHeldToOpen(tx, tenant, queued, 10)).toBe(1)
    changed.resolve()
    await recorded.promise
  })
  await changed.promise
  const recording = recordOutcomes(world.context, () => booksWebhooks, [sent.recorded])
  await sessionsWaiting(world.database, 1)
  recorded.resolve()
  await goingOn
  expect(await recording).toEqual([sent.recorded])
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'delivered', isQueued: false }])
  expect(await attemptsOf(world, tenant)).toMatchObject([{ attemptNumber: 1 }])
  await expectInvariants(world.database)
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
  ['go on', updateHeldToOpen],
  ['end', updateDeliveriesToEnded],
])('a few of many that are held %s without the rest being read', async (_, update) => {
  const { database } = world
  await database.sql`delete from kernel.webhook_queue`
  // What the server knows is of the time before they were held.
  await database.sql`analyze kernel.webhook_deliveries`
  await database.sql`
    insert into kernel.webhook_deliveries
      (business_id, environment, id, endpoint_id, event_id, created_at, stopped_as)
    select business_id, environment, gen_random_uuid(), endpoint_id, gen_random_uuid(), created_at,
      'held'
    from kernel.webhook_deliveries
    cross join generate_series(1, 5000)`
  const queued = { shard: shardOf(tenant), endpointId, now: clock.now() }
  await database.transaction(async (tx) => {
    const before = await rowsRead(tx, 'kernel.webhook_deliveries')
    expect(await update(tx, tenant, queued, 10)).toBe(10)
    expect((await rowsRead(tx, 'kernel.webhook_deliveries')) - before).toBeLessThan(100)
  })
})

// By this connection, as far as it has not told others.
async function rowsRead(tx: Tx, table = 'kernel.webhook_queue'): Promise<number> {
  const [read] = await tx<{ rows: bigint }[]>`
    select seq_tup_read + idx_tup_fetch as rows
    from pg_stat_xact_user_tables
    where relid = ${table}::regclass`
  return Number(assertDefined(read, 'no statistics').rows)
}
