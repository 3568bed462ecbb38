// The loop that sends due deliveries. It claims no more than there are free slots. It looks often
// while there is work, and seldom otherwise. Any number of workers can run on one database.
import { assert } from '../basics/assert.ts'
import { createAlarm } from '../jobs/alarm.ts'
import { errorFields } from '../jobs/error-text.ts'
import {
  type AttemptObserver,
  attemptDelivery,
  profilesByService,
  type SenderContext,
} from './attempt-delivery.ts'
import type { Result } from './attempt-store.ts'
import { type Bulkheads, createBulkheads } from './bulkheads.ts'
import { createClaimer, leaseSeconds } from './claim-deliveries.ts'
import type { Claimed } from './claim-store.ts'
import type { WebhookProfile } from './profile.ts'
import { createRecorder } from './record-attempts.ts'

export type DeliveryWorker = {
  start(): void
  // Looks at once, because something was just published.
  wake(): void
  // Waits for the attempts under way, at most for their timeouts.
  stop(): Promise<void>
  // Sends everything that is due, until nothing is left. For tests and commands.
  drain(): Promise<void>
  running: Bulkheads['running']
}

export type DeliveryWorkerOptions = {
  readonly context: SenderContext
  readonly profiles: readonly WebhookProfile[]
  readonly onAttempt?: AttemptObserver
}

// After a look that found something.
const busyMs = 25
// Without work, the pauses double from the first value to the second.
const idleMsMin = 10
const idleMsMax = 500
const outageMs = 2000

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { context, profiles, onAttempt } = options
  assertShorterThanLease(profiles)
  const profileOf = profilesByService(profiles)
  const bulkheads = createBulkheads(context.clock)
  const claim = createClaimer(context, bulkheads)
  const record = createRecorder(context, profileOf)
  const alarm = createAlarm()
  const sending = new Set<Promise<void>>()
  let loop: Promise<void> | null = null
  let isStopping = false
  let pauseMs = idleMsMin

  async function attempt(claimed: Claimed): Promise<Result> {
    const freeSlot = bulkheads.start(claimed)
    let hasTimedOut = false
    try {
      const result = await attemptDelivery(context, profileOf(claimed.service), claimed)
      hasTimedOut = result.attempt?.error === 'timeout'
      return result
    } finally {
      freeSlot(hasTimedOut)
    }
  }

  async function send(claimed: Claimed): Promise<void> {
    const { service, deliveryId } = claimed
    try {
      const result = await attempt(claimed)
      const isRecorded = await record(result)
      if (!result.attempt) return
      // Without its claim it was not recorded. The worker that has the claim now reports it.
      const isDead = isRecorded && !claimed.stoppedAs && result.stoppedAs === 'dead_lettered'
      onAttempt?.(service, result.attempt.error ?? 'success', isDead)
    } catch (error) {
      // It is tried again when its lease has expired.
      context.log.error({ deliveryId, ...errorFields(error) }, 'not sent')
      onAttempt?.(service, 'internal', false)
    }
  }

  async function claimAndSend(isSweep?: boolean): Promise<number> {
    const claims = await claim(isSweep)
    for (const claimed of claims) {
      const sent = send(claimed)
      sending.add(sent)
      void sent.finally(() => sending.delete(sent))
    }
    return claims.length
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        if ((await claimAndSend()) > 0) pauseMs = busyMs
      } catch (error) {
        context.log.warn(errorFields(error), 'looking for webhooks to send failed')
        pauseMs = outageMs
      }
      await alarm.sleep(pauseMs)
      pauseMs = Math.min(pauseMs * 2, idleMsMax)
    }
  }

  return {
    start() {
      assert(!loop && !isStopping, 'a worker can start only once')
      loop = run()
    },
    wake() {
      pauseMs = idleMsMin
      alarm.ring()
    },
    async stop() {
      isStopping = true
      alarm.ring()
      await loop
      await Promise.all(sending)
      context.egress.close()
    },
    async drain() {
      assert(!loop, 'a started worker cannot be drained')
      while ((await claimAndSend(true)) > 0 || sending.size > 0) await Promise.all(sending)
    },
    running: bulkheads.running,
  }
}

// The lease also leaves time to record the result. Otherwise another worker would send the delivery
// again.
function assertShorterThanLease(profiles: readonly WebhookProfile[]): void {
  for (const { service, timeoutMs } of profiles) {
    assert(
      timeoutMs * 2 <= leaseSeconds * 1000,
      `${service}: the timeout is too close to the lease`,
    )
  }
}
