// Metrics of webhooks when sending itself fails: the numbers must show it permanently.
import { expect, it } from 'vitest'
import { booksWebhooks } from '../../../src/books/webhooks/webhook-profile.ts'
import type { Tenant } from '../../../src/kernel/basics/tenant.ts'
import { replayEvents } from '../../../src/kernel/endpoints/replay-events.ts'
import { createBulkheads } from '../../../src/kernel/webhooks/bulkheads.ts'
import { createClaimer } from '../../../src/kernel/webhooks/claim-deliveries.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'
import type { ManualClock } from '../../support/clock.ts'
import { metricsText } from '../../support/metrics.ts'
import type { Receiver } from '../../support/receiver.ts'
import { useFreshWebhookWorlds } from '../../support/webhook-world.ts'
import { newEndpoint, newEvent } from '../../support/webhooks.ts'
import type { World } from '../../support/world.ts'

const metricsToken = 'a-token-of-sixteen'
let clock: ManualClock
let receiver: Receiver
let world: World
let tenant: Tenant

useFreshWebhookWorlds(
  (fresh) => {
    ;({ clock, world, receiver, tenant } = fresh)
  },
  { settings: { metricsToken } },
)

// By name and labels, as they are written.
async function metrics(): Promise<Map<string, number>> {
  const text = await metricsText(world, metricsToken)
  return new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('tillbook_') && line.includes('webhook'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}
const age = async () => (await metrics()).get('tillbook_oldest_due_webhook_seconds')
const internal = 'tillbook_webhook_attempts_total{service="merchant",outcome="internal"}'

it('what can never be sent grows old, and each try is counted', async () => {
  await newEndpoint(world, tenant, receiver.url)
  await newEvent(world, tenant)
  await world.database.sql`
    update kernel.webhook_endpoints
    set secret_sealed = decode('0102', 'hex')`
  for (let tries = 1; tries <= 10; tries += 1) {
    await world.deliveries?.drain()
    // Someone has it until its lease ends.
    clock.advance(24_000)
    const shown = await metrics()
    expect(shown.get('tillbook_webhooks_due')).toBe(0)
    expect(shown.get('tillbook_oldest_due_webhook_seconds')).toBe(25 * (tries - 1) + 24)
    expect(shown.get(internal)).toBe(tries)
    clock.advance(1000)
  }
})

it('what workers take and die with grows old', async () => {
  await newEndpoint(world, tenant, receiver.url)
  await newEvent(world, tenant)
  for (let deaths = 0; deaths < 5; deaths += 1) {
    expect(await createClaimer(world.context, createBulkheads(clock))()).toHaveLength(1)
    clock.advance(25_000)
  }
  await createClaimer(world.context, createBulkheads(clock))()
  expect(await age()).toBe(125)
})

it('what is not due yet is not old, nor is what was sent', async () => {
  await newEndpoint(world, tenant, receiver.url)
  receiver.answer((_, response) => response.writeHead(500).end())
  await newEvent(world, tenant)
  await world.deliveries?.drain()
  clock.advance(59_000)
  expect(await age()).toBe(0)
  clock.advance(11_000)
  expect(await age()).toBe(10)
})

it('requested attempts have their own age', async () => {
  const { id } = await newEndpoint(world, tenant, receiver.url)
  const from = clock.now()
  await newEvent(world, tenant)
  await world.deliveries?.drain()
  clock.advance(1000)
  const actor = { kind: 'system', name: 'test', ...tenant } as const
  await replayEvents(world.context, actor, merchantWebhooks, id, { from, to: clock.now() })
  clock.advance(300_000)
  await newEvent(world, tenant)
  clock.advance(5000)
  const shown = await metrics()
  expect(shown.get('tillbook_oldest_asked_webhook_seconds')).toBe(305)
  expect(shown.get('tillbook_oldest_due_webhook_seconds')).toBe(5)
  expect(shown.get('tillbook_webhooks_due')).toBe(2)
})

it('requested attempts on hold for an endpoint that is off have no age', async () => {
  const { id } = await newEndpoint(world, tenant, receiver.url, 'books')
  const from = clock.now()
  await newEvent(world, tenant, { service: 'books', type: 'contact.test' })
  await world.deliveries?.drain()
  clock.advance(1000)
  const actor = { kind: 'system', name: 'test', ...tenant } as const
  await replayEvents(world.context, actor, booksWebhooks, id, { from, to: clock.now() })
  await world.database.sql`
    update kernel.webhook_endpoints
    set state = 'off'
    where id = ${id}`
  await world.deliveries?.drain()
  clock.advance(86_400_000)
  const shown = await metrics()
  expect(shown.get('tillbook_webhooks_held')).toBe(1)
  expect(shown.get('tillbook_webhooks_waiting')).toBe(0)
  expect(shown.get('tillbook_oldest_asked_webhook_seconds')).toBe(0)
})

it('what rises from nothing is there from the start, of each service', async () => {
  const shown = await metrics()
  for (const service of ['merchant', 'books']) {
    expect(shown.get(`tillbook_webhook_dead_letters_total{service="${service}"}`)).toBe(0)
    for (const outcome of ['success', 'internal']) {
      const labels = `{service="${service}",outcome="${outcome}"}`
      expect(shown.get(`tillbook_webhook_attempts_total${labels}`)).toBe(0)
    }
  }
})

it('attempts under way are counted by the lane of their endpoint', async () => {
  await newEndpoint(world, tenant, receiver.url)
  const running = async (lane: string) =>
    (await metrics()).get(`tillbook_webhook_attempts_running{lane="${lane}"}`)
  const asked = async () => {
    await newEvent(world, tenant)
    const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    receiver.answer(async (_, response) => {
      arrived.resolve()
      await answer.promise
      response.writeHead(200).end()
    })
    const sent = world.deliveries?.drain()
    await arrived.promise
    return async () => {
      answer.resolve()
      await sent
    }
  }
  const answerFirst = await asked()
  expect(await running('new')).toBe(1)
  await answerFirst()
  const answerSecond = await asked()
  expect([await running('new'), await running('fast')]).toEqual([0, 1])
  clock.advance(1000)
  expect([await running('fast'), await running('stalled')]).toEqual([0, 1])
  await answerSecond()
  expect([await running('stalled'), await running('slow')]).toEqual([0, 0])
})
