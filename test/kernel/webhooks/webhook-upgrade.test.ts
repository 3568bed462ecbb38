// Deliveries on hold in a database of an earlier version.
import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { assertDefined } from '../../../src/kernel/basics/assert.ts'
import { connect } from '../../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../../src/kernel/db/migrate.ts'
import { shardOf } from '../../../src/kernel/jobs/job.ts'
import { manualClock } from '../../support/clock.ts'
import { administer, serverUrl } from '../../support/database.ts'

const migrations = readMigrations('migrations')
const clock = manualClock()

it('deliveries on hold enter the queue, in the shard of their business', async () => {
  const name = `old_${randomUUID().replaceAll('-', '')}`
  await administer((sql) => sql`create database ${sql(name)} template template0`)
  const { sql, close } = connect({ url: serverUrl(name), poolSize: 2 })
  onTestFinished(async () => {
    await close()
    await administer((admin) => admin`drop database ${admin(name)} with (force)`)
  })
  await migrate(sql, migrations.slice(0, 33), clock)
  const createdAt = clock.now()
  // One for every shard.
  const held = Array.from({ length: 16 }, (_, digit) => ({
    businessId: randomUUID().slice(0, -1) + digit.toString(16),
    environment: 'live' as const,
    id: randomUUID(),
    endpointId: randomUUID(),
    eventId: randomUUID(),
    createdAt,
    stoppedAs: 'held',
  }))
  const retried = assertDefined(held[0], 'sixteen are held')
  const dead = { ...retried, id: randomUUID(), eventId: randomUUID(), stoppedAs: 'dead_lettered' }
  for (const delivery of [...held, dead]) {
    await sql`insert into kernel.webhook_deliveries ${sql(delivery)}`
  }
  // Someone has asked for one of them meanwhile.
  await sql`
    insert into kernel.webhook_queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, retry_asked_at)
    values
      (0, ${retried.businessId}, 'live', ${retried.id}, ${retried.endpointId}, ${retried.eventId},
       ${createdAt}, ${createdAt})`
  await migrate(sql, migrations, clock)
  const queue = await sql<{ shard: number; businessId: string; deliveryId: string; at: string }[]>`
    select shard, business_id, delivery_id, run_at::text as at
    from kernel.webhook_queue
    where scheduled_at = ${createdAt}`
  expect(queue.toSorted((one, other) => one.shard - other.shard)).toEqual(
    held.map(({ businessId, environment, id: deliveryId }) => ({
      shard: shardOf({ businessId, environment }),
      businessId,
      deliveryId,
      at: deliveryId === retried.id ? expect.not.stringContaining('infinity') : 'infinity',
    })),
  )
  const stopped = await sql`
    select id
    from kernel.webhook_deliveries
    where stopped_as is not null`
  expect(stopped).toEqual([{ id: dead.id }])
})
