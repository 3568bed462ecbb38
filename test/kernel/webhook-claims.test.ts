// Claims that run out or come beside each other: whatever is recorded late must neither lose a
// delivery nor count for another claim.
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { booksWebhooks } from '../../src/books/webhooks/webhook-profile.ts'
import { assertDefined } from '../../src/kernel/basics/assert.ts'
import { addSeconds } from '../../src/kernel/basics/clock.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { switchOnEndpoint } from '../../src/kernel/endpoints/switch-on.ts'
import { shardOf } from '../../src/kernel/jobs/job.ts'
import { attemptDelivery } from '../../src/kernel/webhooks/attempt-delivery.ts'
import { createClaimer } from '../../src/kernel/webhooks/claim-deliveries.ts'
import { type Claimed, lockDeliveryForRetry } from '../../src/kernel/webhooks/claim-store.ts'
import { createLanes } from '../../src/kernel/webhooks/lanes.ts'
import { recordOutcomes } from '../../src/kernel/webhooks/record-attempts.ts'
import { manualClock } from '../support/clock.ts'
import { expectInvariants } from '../support/invariants.ts'
import { egressTo, makeCertificate, type Receiver, startReceiver } from '../support/receiver.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../support/webhooks.ts'
import { createWorld, type World } from '../support/world.ts'

const certificate = makeCertificate()
let clock: ReturnType<typeof manualClock>
let receiver: Receiver
let world: World
let tenant: Tenant
let endpointId: string

beforeAll(async () => {
  receiver = await startReceiver(certificate)
})
afterAll(() => receiver.close())
beforeEach(async () => {
  clock = manualClock()
  world = await createWorld({ clock, egress: egressTo(certificate) })
  onTestFinished(() => world.close())
  receiver.answer((_, response) => response.writeHead(200).end())
  tenant = { businessId: await world.business(), environment: 'live' }
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

async function record(...claims: readonly Claimed[]): Promise<boolean> {
  const attempts = await Promise.all(
    claims.map((claim) => attemptDelivery(world.context, booksWebhooks, claim)),
  )
  const outcomes = attempts.map(({ recorded }) => recorded)
  return recordOutcomes(world.context, () => booksWebhooks, outcomes)
}

it('a retry that is given up leaves what was planned meanwhile', async () => {
  await setEndpoint('off')
  await world.deliveries?.drain()
  const [held] = await deliveriesOf(world, tenant)
  expect(held?.state).toBe('held')
  // Switched on; somebody retries before it goes on, and dies under the claim. Off again.
  await setEndpoint('on')
  const { id: deliveryId } = assertDefined(held, 'there is no delivery')
  const [event] = await world.database.sql<{ id: string }[]>`select id from kernel.events`
  const now = clock.now()
  await world.database.transaction((tx) =>
    lockDeliveryForRetry(
      tx,
      {
        shard: shardOf(tenant),
        claimId: world.context.ids.uuid(),
        leaseUntil: addSeconds(now, 25),
        now,
      },
      {
        ...tenant,
        id: deliveryId,
        endpointId,
        eventId: assertDefined(event, 'there is no event').id,
      },
    ),
  )
  await setEndpoint('off')
  clock.advance(30_000)
  const retry = await claimed()
  expect(retry).toMatchObject({ endpointState: 'off', stoppedAs: 'held', scheduledAt: null })
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
  expect(await record(late, await claimed())).toBe(false)
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'delivered' }])
  expect(await attemptsOf(world, tenant)).toHaveLength(1)
  await expectInvariants(world.database)
})

it('a failure that comes with that of a later claim is logged once', async () => {
  receiver.answer((_, response) => response.writeHead(500).end())
  const late = await claimed()
  clock.advance(30_000)
  expect(await record(late, await claimed())).toBe(false)
  expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'open', isQueued: true }])
  expect(await attemptsOf(world, tenant)).toMatchObject([{ attemptNumber: 1 }])
  await expectInvariants(world.database)
})
