// @module-tag long
// A worker that dies with SIGKILL while receivers still owe it responses: how soon another one
// takes over its deliveries. Tests control the time, so nothing depends on the speed of the
// machine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payer } from '../support/payouts.ts'
import type { Received } from '../support/receiver.ts'
import { until } from '../support/timed-process.ts'
import { attemptsOf, deliveriesOf, newEndpoint } from '../support/webhooks.ts'
import { createGround, createLane, type Ground, type Lane } from './lane.ts'

let ground: Ground
let lane: Lane

beforeAll(async () => {
  ground = createGround()
  lane = await createLane(ground)
}, 300_000)
afterAll(async () => {
  await lane.close()
  ground.close()
})

test('what a killed worker was sending is sent again within half a minute, under the same number', {
  timeout: 600_000,
}, async () => {
  const { world, receiver } = lane
  await lane.start()
  const { tenant, payOut } = await payer(world)
  await newEndpoint(world, tenant, new URL('/answers', receiver.url).href)
  await newEndpoint(world, tenant, new URL('/hangs', receiver.url).href)
  const received = (path: string): Received[] =>
    receiver.received.filter((one) => one.path === path)
  receiver.answer(async ({ path }, response) => {
    // The worker dies when this is answered, in the middle of the attempt at the other.
    if (path === '/hangs') return
    await until(() => received('/hangs').length > 0, 'the other endpoint was not tried')
    response.writeHead(200).end()
  })
  lane.arm('webhook.sent')
  const { body } = await payOut(
    { destinationType: 'service_account' },
    { headers: { 'idempotency-key': 'order-35' } },
  )
  expect(body.status).toBe('completed')
  await until(lane.hasDied, 'the worker lives')
  const diedAt = world.context.clock.now()
  lane.arm('')
  expect(await attemptsOf(world, tenant)).toEqual([])

  const leases = await world.database.sql<{ leasedUntil: Date; claimId: string | null }[]>`
    select leased_until, claim_id
    from kernel.webhook_queue
    where business_id = ${tenant.businessId}`
  expect(leases).toHaveLength(2)
  for (const { leasedUntil, claimId } of leases) {
    expect(claimId).not.toBeNull()
    expect(leasedUntil.getTime() - diedAt.getTime()).toBeLessThanOrEqual(25_000)
  }

  receiver.answer((_, response) => response.writeHead(200).end())
  await lane.start()
  const alreadySeconds = (world.context.clock.now().getTime() - diedAt.getTime()) / 1000
  await lane.pass(Math.max(30 - alreadySeconds, 0))
  expect(await deliveriesOf(world, tenant)).toMatchObject([
    { state: 'delivered', isQueued: false },
    { state: 'delivered', isQueued: false },
  ])
  const log = await attemptsOf(world, tenant)
  expect(log.map(({ attemptNumber, error }) => [attemptNumber, error])).toEqual([
    [1, null],
    [1, null],
  ])
  for (const path of ['/answers', '/hangs']) {
    expect(received(path).map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1'])
  }
  expect(lane.errors()).toEqual([])
})
