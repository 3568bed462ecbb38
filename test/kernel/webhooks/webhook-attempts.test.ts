// What an attempt contains, and what is planned after it.
import { expect, it, vi } from 'vitest'
import { addMilliseconds } from '../../../src/kernel/basics/clock.ts'
import { attemptDelivery } from '../../../src/kernel/webhooks/attempt-delivery.ts'
import { createBulkheads } from '../../../src/kernel/webhooks/bulkheads.ts'
import { createClaimer, leaseSeconds } from '../../../src/kernel/webhooks/claim-deliveries.ts'
import { createDeliveryWorker } from '../../../src/kernel/webhooks/delivery-worker.ts'
import { publish } from '../../../src/kernel/webhooks/event.ts'
import { merchantWebhooks } from '../../../src/merchant/webhooks/webhook-profile.ts'
import { useWebhookWorld } from '../../support/webhook-world.ts'
import { attemptsOf, deliveriesOf, newEvent } from '../../support/webhooks.ts'

const { world, call, subscriber, clock, drain, answer, receiver } = useWebhookWorld()

it('has the number under which it is logged, for scheduled and requested attempts', async () => {
  const { tenant, key } = await subscriber()
  answer(500)
  await newEvent(world(), tenant)
  await drain()
  const [delivery] = await deliveriesOf(world(), tenant)
  const retry = () =>
    call('POST', `/merchant/api/v1/webhooks/deliveries/${delivery?.id}/retry`, { key })
  await retry()
  await retry()
  clock.advance(60_000)
  await drain()
  await retry()
  const sent = receiver().received.map(({ headers }) => headers['x-service-attempt'])
  expect(sent).toEqual(['1', '2', '3', '4', '5'])
  const log = await attemptsOf(world(), tenant)
  expect(log.map(({ attemptNumber, isManual }) => [attemptNumber, isManual])).toEqual([
    [1, false],
    [2, true],
    [3, true],
    [4, false],
    [5, true],
  ])
})

it('is followed by the next after the wait from its answer on, though the clock is set', async () => {
  const { tenant } = await subscriber()
  await newEvent(world(), tenant)
  const [claimed] = await createClaimer(world().context, createBulkheads(clock))()
  if (!claimed) throw new Error('nothing was claimed')
  const began = clock.now()
  let passedMs = 0
  receiver().answer((_, response) => {
    passedMs += 3000
    clock.advance(-3_600_000)
    response.writeHead(500).end()
  })
  const steady = { now: clock.now, monotonicMs: () => passedMs }
  const context = { ...world().context, clock: steady }
  const { attempt, queue } = await attemptDelivery(context, merchantWebhooks, claimed)
  clock.advance(3_600_000)
  expect(attempt).toMatchObject({ attemptedAt: began, durationMs: 3000 })
  expect(queue?.scheduledAt).toEqual(addMilliseconds(began, 63_000))
})

it('is never waited for so long that its lease could end first', () => {
  const worker = (timeoutMs: number) => () =>
    createDeliveryWorker({
      context: world().context,
      profiles: [{ ...merchantWebhooks, timeoutMs }],
    })
  expect(worker(leaseSeconds * 500)).not.toThrow()
  expect(worker(leaseSeconds * 500 + 1)).toThrow('merchant: the timeout is too close to the lease')
})

it('is made soon, since what is published says so, once for each event', async () => {
  const { tenant } = await subscriber()
  const { database, context } = world()
  const onPublished = vi.fn()
  const objectId = context.ids.uuid()
  await database.transaction(async (tx) => {
    for (const type of ['payment.one', 'payment.two']) {
      const event = { service: 'merchant', type, objectId, data: {} }
      await publish(tx, { ...context, onPublished }, tenant, event)
    }
  })
  expect(onPublished).toHaveBeenCalledTimes(2)
})
