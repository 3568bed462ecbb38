// The environment of the webhook rows: a database, a receiver in a separate process, and a worker
// in this process that sends as in production.
import { fork } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createSecrets } from '../src/kernel/auth/secrets.ts'
import { systemClock } from '../src/kernel/basics/clock.ts'
import { systemIds } from '../src/kernel/basics/id.ts'
import { createLog } from '../src/kernel/basics/log.ts'
import { connect, type Database } from '../src/kernel/db/database.ts'
import { shardOf } from '../src/kernel/jobs/job.ts'
import type { SenderContext } from '../src/kernel/webhooks/attempt-delivery.ts'
import {
  createDeliveryWorker,
  type DeliveryWorker,
} from '../src/kernel/webhooks/delivery-worker.ts'
import { createEgress } from '../src/kernel/webhooks/egress.ts'
import { endpointSecretRow } from '../src/kernel/webhooks/endpoint.ts'
import { insertEndpoint } from '../src/kernel/webhooks/endpoint-store.ts'
import { merchantWebhooks } from '../src/merchant/webhooks/webhook-profile.ts'
import { egressTo, makeCertificate } from '../test/support/receiver.ts'
import { businessId, insertBusinesses } from './data.ts'
import { type RunningDatabase, startDatabase } from './database.ts'
import type { Defer } from './servers.ts'

export type WebhookWorld = {
  readonly database: Database
  readonly server: RunningDatabase
  readonly receiverUrl: string
  readonly receiverCa: string
  // Knows the receiver's name.
  readonly resolver: Resolver
  readonly worker: DeliveryWorker
  // How many attempts were recorded so far.
  recorded(): number
  // How long the first attempts since the last call took to arrive.
  takeWaitsMs(): Promise<number[]>
}

export const endpointSecret = 'whsec_of_every_endpoint_in_this_measurement'

export async function createWebhookWorld(dataDir: string, defer: Defer): Promise<WebhookWorld> {
  const server = await startDatabase(dataDir, defer)
  const database = connect({ url: server.url, poolSize: 10 })
  defer(database.close)
  const certificate = makeCertificate()
  const receiver = await startReceiver(certificate.path, defer)
  const context: SenderContext = {
    database,
    clock: systemClock,
    ids: systemIds(systemClock),
    log: createLog('error'),
    failpoint() {},
    egress: createEgress({ ...egressTo(certificate), resolver: receiver.resolver }),
    secrets,
  }
  let recorded = 0
  const worker = createDeliveryWorker({
    context,
    profiles: [merchantWebhooks],
    onAttempt: () => {
      recorded += 1
    },
  })
  defer(worker.stop)
  return {
    database,
    server,
    receiverUrl: receiver.url,
    receiverCa: certificate.cert,
    resolver: receiver.resolver,
    worker,
    recorded: () => recorded,
    takeWaitsMs: receiver.takeWaitsMs,
  }
}

const secrets = createSecrets([{ version: 1, key: Buffer.alloc(32, 7) }])

async function startReceiver(certPath: string, defer: Defer) {
  const script = fileURLToPath(new URL('webhook-receiver.ts', import.meta.url))
  const keyPath = certPath.replace('cert.pem', 'key.pem')
  const child = fork(script, [keyPath, certPath])
  defer(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  const [{ port, nameServerPort }] = await once(child, 'message')
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  resolver.setServers([`127.0.0.1:${nameServerPort}`])
  return {
    // By name, like real receivers.
    url: `https://hooks.example.com:${port}`,
    resolver,
    async takeWaitsMs(): Promise<number[]> {
      child.send('take')
      const [{ waitsMs }] = await once(child, 'message')
      return waitsMs
    },
  }
}

// One business per address, with one endpoint.
export async function insertReceivers(
  { database }: WebhookWorld,
  urls: readonly string[],
): Promise<void> {
  const ids = systemIds(systemClock)
  await insertBusinesses(database.sql, urls.length)
  await database.transaction(async (tx) => {
    for (const [number, url] of urls.entries()) {
      const id = ids.uuid()
      await insertEndpoint(tx, tenantOf(number), {
        id,
        service: 'merchant',
        url,
        eventTypes: null,
        createdAt: systemClock.now(),
        secretSealed: secrets.seal(endpointSecret, endpointSecretRow(id)),
      })
    }
  })
  await database.sql`vacuum analyze kernel.webhook_endpoints`
}

const tenantOf = (number: number) => ({
  businessId: businessId(number),
  environment: 'live' as const,
})

// Creates events for each of the first businesses, with deliveries that are due now. Returns how
// long that took, since single events are committed faster.
export async function insertEvents(
  { database: { sql } }: WebhookWorld,
  wanted: { businesses: number; each: number },
): Promise<number> {
  const shards = Array.from({ length: wanted.businesses }, (_, number) => ({
    business_id: businessId(number),
    shard: shardOf(tenantOf(number)),
  }))
  const now = systemClock.now()
  await sql`
    with event as (
      insert into kernel.events
        (business_id, environment, id, service, type, object_id, data, created_at)
      select business_id, 'live', uuidv7(), 'merchant', 'payment.succeeded', gen_random_uuid(),
        jsonb_build_object(
          'id', gen_random_uuid(), 'amount', 125000 + n, 'currency', 'NGN', 'fee', 1875,
          'net', 123125 + n, 'status', 'succeeded', 'payment_link_id', gen_random_uuid()
        ),
        ${now}
      from jsonb_to_recordset(${sql.json(shards)}) as given (business_id uuid, shard integer)
      cross join generate_series(1, ${wanted.each}::integer) as n
      returning business_id, id
    ), delivery as (
      insert into kernel.webhook_deliveries
        (business_id, environment, id, endpoint_id, event_id, created_at)
      select business_id, 'live', uuidv7(), endpoint.id, event.id, ${now}
      from event
      join kernel.webhook_endpoints endpoint
        using (business_id)
      returning business_id, id, endpoint_id, event_id
    )
    insert into kernel.webhook_queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
    select shard, business_id, 'live', delivery.id, endpoint_id, event_id, ${now}, ${now}
    from delivery
    join jsonb_to_recordset(${sql.json(shards)}) as given (business_id uuid, shard integer)
      using (business_id)`
  return systemClock.now().getTime() - now.getTime()
}

// Earlier deliveries, so that the tables are as large and the plans as good as in a database in
// use.
export async function insertHistory(world: WebhookWorld, businesses: number): Promise<void> {
  const { sql } = world.database
  await insertEvents(world, { businesses, each: 50_000 / businesses })
  await sql`delete from kernel.webhook_queue`
  await sql`
    insert into kernel.webhook_attempts
      (business_id, environment, delivery_id, endpoint_id, attempt_number, is_manual, attempted_at,
       duration_ms, status_code, succeeded, dead_lettered)
    select business_id, environment, id, endpoint_id, 1, false, created_at, 20, 200, true, false
    from kernel.webhook_deliveries`
  for (const table of ['events', 'webhook_deliveries', 'webhook_queue', 'webhook_attempts']) {
    await sql`vacuum analyze kernel.${sql(table)}`
  }
}
