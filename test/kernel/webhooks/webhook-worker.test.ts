// Workers: leases, fairness, and what an operator sees.
import { describe, expect, it, onTestFinished } from 'vitest'
import { addMilliseconds } from '../../../src/kernel/basics/clock.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { createBulkheads } from '../../../src/kernel/webhooks/bulkheads.ts'
import { createClaimer } from '../../../src/kernel/webhooks/claim-deliveries.ts'
import { createDeliveryWorker } from '../../../src/kernel/webhooks/delivery-worker.ts'
import { createRecorder } from '../../../src/kernel/webhooks/record-attempts.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'
import type { ManualClock } from '../../support/clock.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { metricsText } from '../../support/metrics.ts'
import type { Receiver } from '../../support/receiver.ts'
import { useFreshWebhookWorlds } from '../../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEndpoint, newEvent } from '../../support/webhooks.ts'
import { createWorld, type World } from '../../support/world.ts'

const metricsToken = 'a-token-of-sixteen'
let clock: ManualClock
let receiver: Receiver
let world: World
let tenant: Tenant

const { egress } = useFreshWebhookWorlds(
  (fresh) => {
    ;({ clock, world, receiver, tenant } = fresh)
  },
  { settings: { metricsToken } },
)

const drain = () => world.deliveries?.drain()
// Of a worker that some endpoints have answered before.
function claimer(...known: { id: string }[]) {
  const bulkheads = createBulkheads(clock)
  for (const { id } of known) bulkheads.start({ ...tenant, endpointId: id })(false)
  return createClaimer(world.context, bulkheads)
}

describe('a claim', () => {
  // covers: 6. Events may arrive more than once
  it('is held for 25 seconds, and then another worker sends, under the same number', async () => {
    await newEndpoint(world, tenant, receiver.url)
    await newEvent(world, tenant)
    // A worker that dies now.
    expect(await claimer()()).toMatchObject([{ attempts: 0, endpointState: 'on' }])
    await drain()
    clock.advance(24_999)
    await drain()
    expect(receiver.received).toEqual([])
    clock.advance(1)
    await drain()
    expect(await attemptsOf(world, tenant)).toMatchObject([{ attemptNumber: 1, error: null }])
  })

  it('of a worker that died is taken over within half a minute', async () => {
    await newEndpoint(world, tenant, receiver.url)
    await newEvent(world, tenant)
    const diedAt = clock.now()
    expect(await claimer()()).toHaveLength(1)
    const other = claimer()
    // As often as one that has nothing to do.
    for (let found = 0; found === 0; found = (await other()).length) clock.advance(500)
    const seconds = (clock.now().getTime() - diedAt.getTime()) / 1000
    expect(seconds).toBeGreaterThanOrEqual(25)
    expect(seconds).toBeLessThanOrEqual(30)
  })

  it('whose attempt cannot even begin gives its place back', async () => {
    await newEndpoint(world, tenant, receiver.url)
    await newEvent(world, tenant)
    const worker = createDeliveryWorker({ context: world.context, profiles: [] })
    await worker.drain()
    expect(worker.running()).toEqual({ fast: 0, new: 0, slow: 0, stalled: 0 })
  })

  it('that was lost records nothing any more', async () => {
    await newEndpoint(world, tenant, receiver.url)
    await newEvent(world, tenant)
    let isFirst = true
    receiver.answer(async (_, response) => {
      // While the first worker waits for its answer, its lease runs out and a second one sends.
      if (isFirst) {
        isFirst = false
        clock.advance(30_000)
        const second = createDeliveryWorker({
          context: world.context,
          profiles: [merchantWebhooks],
        })
        await second.drain()
        response.writeHead(200).end()
      } else response.writeHead(500).end()
    })
    await drain()
    expect(receiver.received).toHaveLength(2)
    expect(await attemptsOf(world, tenant)).toMatchObject([{ attemptNumber: 1, error: 'status' }])
    expect(await deliveriesOf(world, tenant)).toMatchObject([{ state: 'open', isQueued: true }])
    expect(world.logLines.join('')).not.toContain('could not be recorded')
    expect(await brokenInvariants(world.database)).toEqual([])
  })

  it('that was lost is not given up a second time', async () => {
    await newEndpoint(world, tenant, receiver.url)
    await newEvent(world, tenant)
    const ends: boolean[] = []
    const worker = () =>
      createDeliveryWorker({
        context: world.context,
        // The first attempt is the last.
        profiles: [{ ...merchantWebhooks, retryDelaysSeconds: [] }],
        onAttempt: (_service, _result, isDead) => ends.push(isDead),
      })
    receiver.answer(async (_, response) => {
      if (receiver.received.length === 1) {
        clock.advance(30_000)
        await worker().drain()
      }
      response.writeHead(500).end()
    })
    await worker().drain()
    expect(ends).toEqual([true, false])
  })

  it('of two workers at once takes each delivery once', async () => {
    for (let count = 0; count < 4; count += 1) await newEndpoint(world, tenant, receiver.url)
    for (let count = 0; count < 5; count += 1) await newEvent(world, tenant)
    const claims = (await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => claimer()()))).flat()
    expect(new Set(claims.map(({ deliveryId }) => deliveryId)).size).toBe(claims.length)
    expect(claims.length).toBe(20)
  })
})

describe('an outcome that the database refuses', () => {
  it('does not prevent others in its batch from being recorded', async () => {
    const endpoint = await newEndpoint(world, tenant, receiver.url)
    for (let count = 0; count < 4; count += 1) await newEvent(world, tenant)
    const claims = await claimer(endpoint)()
    const results = claims.map((claimed, index) => ({
      claimed,
      attempt: {
        number: 1,
        isManual: false,
        attemptedAt: clock.now(),
        durationMs: 1,
        responseText: null,
        // No status that HTTP has, so that the second is refused.
        statusCode: index === 1 ? 99 : 200,
        error: null,
        nextRetryAt: null,
        deadLettered: false,
      },
      stoppedAs: null,
      queue: null,
    }))
    // The first is recorded alone; the others gather meanwhile.
    const record = createRecorder(world.context, () => merchantWebhooks)
    const recorded = await Promise.all(results.map(record))
    expect(recorded).toEqual([true, false, true, true])
    const states = (await deliveriesOf(world, tenant)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['delivered', 'delivered', 'delivered', 'open'])
    expect(world.logLines.join('')).toContain('could not be recorded')
    // The one is sent again, under its number.
    clock.advance(30_000)
    await drain()
    expect(await attemptsOf(world, tenant)).toMatchObject(Array(4).fill({ attemptNumber: 1 }))
  })
})

describe('a look', () => {
  const publishedBefore = async (milliseconds: number) => {
    await newEvent(world, tenant)
    await world.database.sql`
      update kernel.webhook_queue
      set run_at = ${addMilliseconds(clock.now(), -milliseconds)}
      where claim_id is null`
  }

  it('finds what was committed a moment after it was published', async () => {
    await newEndpoint(world, tenant, receiver.url)
    const claim = claimer()
    expect(await claim()).toEqual([])
    await publishedBefore(2000)
    expect(await claim()).toHaveLength(1)
  })

  it('leaves what is older to the next sweep, which is at most five seconds away', async () => {
    await newEndpoint(world, tenant, receiver.url)
    const claim = claimer()
    expect(await claim()).toEqual([])
    await publishedBefore(2001)
    clock.advance(4999)
    expect(await claim()).toEqual([])
    clock.advance(1)
    expect(await claim()).toHaveLength(1)
  })

  it('finds what has become due, and asks for no endpoint again that has nothing left', async () => {
    await newEndpoint(world, tenant, receiver.url)
    const claim = claimer()
    expect(await claim()).toEqual([])
    receiver.answer((_, response) => response.writeHead(500).end())
    await newEvent(world, tenant)
    await drain()
    clock.advance(59_999)
    // Up to here a look, and not a sweep, must find it.
    expect(await claim()).toEqual([])
    clock.advance(1)
    expect(await claim()).toHaveLength(1)
    clock.advance(4000)
    expect(await claim()).toEqual([])
  })

  it('reads the newest of a flood, and leaves the rest to the next sweep', async () => {
    await newEndpoint(world, tenant, receiver.url)
    const claim = claimer()
    expect(await claim()).toEqual([])
    const other = { businessId: await world.business(), environment: 'live' } as const
    await newEndpoint(world, other, receiver.url)
    await newEvent(world, tenant)
    await newEvent(world, other)
    // Thousands of deliveries to the one, which are newer than what waits for the other.
    await world.database.sql`
      update kernel.webhook_queue
      set run_at = ${addMilliseconds(clock.now(), -900)}
      where business_id = ${other.businessId}`
    await world.database.sql`
      insert into kernel.webhook_queue
        (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
      select shard, business_id, environment, gen_random_uuid(), endpoint_id, event_id, run_at,
        scheduled_at
      from kernel.webhook_queue
      cross join generate_series(1, 6000)
      where business_id = ${tenant.businessId}`
    const businesses = async () =>
      world.database.sql<{ businessId: string }[]>`
        select distinct business_id
        from kernel.webhook_queue
        where leased_until is not null`
    await claim()
    expect(await businesses()).toEqual([{ businessId: tenant.businessId }])
    clock.advance(5000)
    await claim()
    expect(await businesses()).toHaveLength(2)
  })

  it('goes on with the oldest of a backlog that a sweep has found', async () => {
    const endpoint = await newEndpoint(world, tenant, receiver.url)
    for (let count = 0; count < 10; count += 1) await publishedBefore(3_600_000)
    const claim = claimer(endpoint)
    expect(await claim()).toHaveLength(8)
    expect(await claim()).toHaveLength(2)
  })
})

describe('fairness', () => {
  it('sends what happens now before what someone asked to have sent again', async () => {
    const endpoint = await newEndpoint(world, tenant, receiver.url)
    for (let count = 0; count < 20; count += 1) await newEvent(world, tenant)
    await world.database.sql`
      update kernel.webhook_queue
      set retry_asked_at = scheduled_at,
        scheduled_at = null`
    clock.advance(1000)
    const objectId = await newEvent(world, tenant)
    const claims = await claimer(endpoint)()
    expect(claims).toHaveLength(8)
    expect(claims.map(({ data }) => data).join()).toContain(objectId)
  })

  it('gives every endpoint its turn, however long the queue of another is', async () => {
    const busy = await newEndpoint(world, tenant, receiver.url)
    for (let count = 0; count < 40; count += 1) await newEvent(world, tenant)
    const others: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const businessId = await world.business()
      const other = { businessId, environment: 'live' } as const
      others.push((await newEndpoint(world, other, receiver.url)).id)
      await newEvent(world, other)
    }
    const claims = await claimer(busy)()
    const ofBusy = claims.filter(({ endpointId }) => endpointId === busy.id)
    expect(ofBusy).toHaveLength(8)
    expect(new Set(claims.map(({ endpointId }) => endpointId))).toEqual(
      new Set([busy.id, ...others]),
    )
  })

  it('serves the endpoint that was served longest ago', async () => {
    const other = { businessId: await world.business(), environment: 'live' } as const
    const own = [await newEndpoint(world, tenant, receiver.url)]
    own.push(await newEndpoint(world, tenant, receiver.url))
    const elsewhere = await newEndpoint(world, other, receiver.url)
    for (let count = 0; count < 4; count += 1) {
      await newEvent(world, tenant)
      await newEvent(world, other)
    }
    // A bulkhead with one slot.
    const bulkheads = createBulkheads(clock)
    const claim = createClaimer(world.context, {
      ...bulkheads,
      allot: (businesses) =>
        businesses
          .flat()
          .slice(0, 1)
          .map((endpoint) => ({ ...endpoint, limit: 1 })),
    })
    const claimed: string[] = []
    for (let round = 0; round < 8; round += 1) {
      claimed.push(...(await claim()).map(({ endpointId }) => endpointId))
    }
    const times = ({ id }: { id: string }) => claimed.filter((one) => one === id).length
    expect([...own.map(times), times(elsewhere)]).toEqual([2, 2, 4])
    expect(new Set(claimed.slice(0, 2))).toContain(elsewhere.id)
  })
})

// covers: Events are queued and delivered in the background
it('what is published is sent without being asked for, by a worker that runs', async () => {
  const running = await createWorld({ egress, worker: true })
  onTestFinished(() => running.close())
  const businessId = await running.business()
  const own = { businessId, environment: 'live' } as const
  await newEndpoint(running, own, receiver.url)
  await newEvent(running, own)
  await untilTrue(() => receiver.received.length === 1)
})

it('an operator sees how old the oldest due delivery is, and what came of attempts', async () => {
  await newEndpoint(world, tenant, receiver.url)
  receiver.answer((_, response) => response.writeHead(410).end())
  await newEvent(world, tenant)
  await drain()
  clock.advance(60_000 + 90_000)
  const text = await metricsText(world, metricsToken)
  const value = (name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(name) && !line.startsWith('#'))
      ?.split(' ')
      .at(-1)
  expect(value('tillbook_oldest_due_webhook_seconds')).toBe('90')
  expect(value('tillbook_webhooks_due')).toBe('1')
  expect(value('tillbook_webhooks_waiting')).toBe('1')
  expect(value('tillbook_webhook_attempts_total{service="merchant",outcome="status"}')).toBe('1')
  expect(value('tillbook_webhook_attempts_running{lane="fast"}')).toBe('0')
  expect(value('tillbook_webhooks_held')).toBe('0')
})

it('an operator sees dead letters', async () => {
  await newEndpoint(world, tenant, receiver.url)
  receiver.answer((_, response) => response.writeHead(500).end())
  await newEvent(world, tenant)
  for (const seconds of [0, ...merchantWebhooks.retryDelaysSeconds]) {
    clock.advance(seconds * 1000)
    await drain()
  }
  const text = await metricsText(world, metricsToken)
  expect(text).toMatch(/^tillbook_webhook_dead_letters_total{service="merchant"} 1$/m)
  expect(text).toMatch(/^tillbook_webhook_attempts_total{.*outcome="status"} 5$/m)
})

it('an operator sees what waits for endpoints that were switched off', async () => {
  const { id } = await newEndpoint(world, tenant, receiver.url, 'books')
  for (const _ of [1, 2]) await newEvent(world, tenant, { service: 'books', type: 'contact.test' })
  await world.database.sql`
    update kernel.webhook_endpoints
    set state = 'off'
    where id = ${id}`
  await drain()
  const text = await metricsText(world, metricsToken)
  expect(text).toMatch(/^tillbook_webhooks_held 2$/m)
  expect(text).toMatch(/^tillbook_webhooks_waiting 0$/m)
})

describe('the invariants notice', () => {
  const cases: [string, string, () => Promise<unknown>][] = [
    [
      'I9.1',
      'an event that an endpoint was not told of',
      async () => {
        await world.database.sql`delete from kernel.webhook_queue`
        await world.database.sql`delete from kernel.webhook_deliveries`
      },
    ],
    [
      'I9.2',
      'a delivery of nothing',
      () => world.database.sql`delete from kernel.events where type = 'payment.test'`,
    ],
    [
      'I9.3',
      'a delivery that waits nowhere',
      () => world.database.sql`delete from kernel.webhook_queue`,
    ],
    [
      'I9.4',
      'a delivery that waits for an endpoint which is on',
      async () => {
        await world.database.sql`update kernel.webhook_queue set run_at = 'infinity'`
      },
    ],
    [
      'I10.1',
      'an attempt that is missing from the log',
      () => world.database.sql`update kernel.webhook_attempts set attempt_number = 2`,
    ],
    [
      'I10.2',
      'a retry at the wrong time',
      () => world.database.sql`
        update kernel.webhook_attempts
        set next_retry_at = next_retry_at - interval '2 seconds'`,
    ],
  ]
  it.each(cases)('%s: %s', async (id, _, breakIt) => {
    await newEndpoint(world, tenant, receiver.url)
    clock.set(addMilliseconds(clock.now(), 600_000))
    receiver.answer((_request, response) => response.writeHead(500).end())
    await newEvent(world, tenant)
    await drain()
    expect(await brokenInvariants(world.database)).toEqual([])
    await breakIt()
    expect(await brokenInvariants(world.database)).toContain(id)
  })
})

async function untilTrue(wanted: () => boolean): Promise<void> {
  const end = performance.now() + 240_000
  while (!wanted()) {
    if (performance.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
