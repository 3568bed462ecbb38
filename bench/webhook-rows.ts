// Sending webhooks: how many per second, compared with a bare undici loop that signs and posts the
// same bodies to the same receiver and records nothing; and how hundreds of hanging receivers
// affect the others.
import type { LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { merchantWebhooks } from '../src/merchant/webhooks/webhook-profile.ts'
import { familyCpuMs } from './cpu.ts'
import { measure, type Round, type Row } from './report.ts'
import { withDirectory } from './servers.ts'
import {
  createWebhookWorld,
  endpointSecret,
  insertEvents,
  insertHistory,
  insertReceivers,
  type WebhookWorld,
} from './webhook-world.ts'

const receivers = 100
const deliveriesEach = 20
const deliveries = receivers * deliveriesEach
// Of the loop. The worker opens as many as it needs.
const connections = 64
const hanging = 400
const waitMsMax = 250

export const deliveriesRow: Row = {
  name: 'deliveries',
  title: `sending ${deliveries} webhooks to ${receivers} endpoints, against a bare loop of undici`,
  goal: { atLeast: 0.4 },
  unit: 'webhooks a second',
}

export const hungRow: Row = {
  name: 'hung-endpoints',
  title: `until the first attempt reaches one of ${receivers} endpoints beside ${hanging} that hang`,
  goal: { atMost: 1 },
  unit: 'ms at the 95th percentile',
}

export async function measureDeliveries(): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const world = await createWebhookWorld(dataDir, defer)
    const urls = Array.from({ length: receivers }, (_, number) => `${world.receiverUrl}/${number}`)
    await insertReceivers(world, urls)
    await insertHistory(world, receivers)
    const pool = new Pool(world.receiverUrl, {
      connections,
      connect: { ca: world.receiverCa, lookup: lookupOf(world) },
    })
    defer(() => pool.close())
    // Read before the worker starts, because it would send them.
    await insertEvents(world, { businesses: receivers, each: deliveriesEach })
    const messages = await listMessages(world)
    world.worker.start()
    await sendUntil(world, deliveries)
    await measure(deliveriesRow, async () => {
      // Read before there is anything to send, since the worker looks by itself now and then.
      const end = world.recorded() + deliveries
      await insertEvents(world, { businesses: receivers, each: deliveriesEach })
      const ours = await timed(world, () => sendUntil(world, end))
      const baseline = await timed(world, () => postAll(pool, messages))
      return {
        ours: ours.perSecond,
        baseline: baseline.perSecond,
        cpuRatio: baseline.cpuMs / ours.cpuMs,
      }
    })
  })
}

// The loop uses the same name server for each new connection.
function lookupOf({ resolver }: WebhookWorld): LookupFunction {
  return (hostname, _, give) => {
    const at = (address: string) => ({ address, family: 4 })
    resolver.resolve4(hostname).then(
      (found) => give(null, found.map(at)),
      (error) => give(error, []),
    )
  }
}

async function sendUntil(world: WebhookWorld, end: number): Promise<void> {
  world.worker.wake()
  while (world.recorded() < end) await delay(2)
}

type Message = Parameters<typeof merchantWebhooks.request>[0]

// The messages, read in advance, since the baseline has no database.
async function listMessages({ database: { sql } }: WebhookWorld): Promise<Message[]> {
  const rows = await sql<Omit<Message, 'attemptNumber' | 'sentAtSeconds' | 'secret'>[]>`
    select event.id as event_id, event.type as event_type, event.created_at as event_created_at,
      event.business_id, event.data::text as data, queue.delivery_id
    from kernel.webhook_queue queue
    join kernel.events event
      on event.business_id = queue.business_id
      and event.id = queue.event_id`
  if (rows.length !== deliveries) throw new Error(`${rows.length} webhooks wait`)
  return rows.map((row) => ({
    ...row,
    attemptNumber: 1,
    sentAtSeconds: Math.floor(Date.now() / 1000),
    secret: endpointSecret,
  }))
}

async function postAll(pool: Pool, messages: readonly Message[]): Promise<void> {
  let next = 0
  const client = async () => {
    for (let message = messages[next++]; message; message = messages[next++]) {
      const { headers, body } = merchantWebhooks.request(message)
      const answer = await pool.request({ path: '/0', method: 'POST', headers, body })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
}

async function timed({ server }: WebhookWorld, work: () => Promise<void>) {
  const spentMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
  const databaseMs = familyCpuMs(server.pid)
  const [beganMs, ownMs] = [performance.now(), spentMs()]
  await work()
  return {
    perSecond: (1000 * deliveries) / (performance.now() - beganMs),
    cpuMs: spentMs() - ownMs + familyCpuMs(server.pid) - databaseMs,
  }
}

export async function measureHungEndpoints(): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const world = await createWebhookWorld(dataDir, defer)
    const { receiverUrl } = world
    const count = receivers + hanging
    await insertReceivers(
      world,
      // Mixed, as in reality.
      Array.from({ length: count }, (_, number) =>
        number % (count / receivers) === 0 ? `${receiverUrl}/${number}` : `${receiverUrl}/hang`,
      ),
    )
    await insertHistory(world, count)
    world.worker.start()
    await measure(hungRow, () => hungRound(world))
  })
}

// Every endpoint gets an event at the same time. Hanging ones also have all their earlier
// deliveries.
async function hungRound(world: WebhookWorld): Promise<Round> {
  await delay(1000)
  const insertedMs = await insertEvents(world, { businesses: receivers + hanging, each: 1 })
  world.worker.wake()
  const waitsMs: number[] = []
  while (waitsMs.length < receivers) {
    await delay(50)
    waitsMs.push(...(await world.takeWaitsMs()))
  }
  waitsMs.sort((one, other) => one - other)
  const waitMs = waitsMs[Math.ceil(0.95 * receivers) - 1] ?? Number.NaN
  // Measured from the commit.
  return { ours: waitMs - insertedMs, baseline: waitMsMax }
}
