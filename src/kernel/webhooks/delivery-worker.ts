// The loop that sends what is due. It claims no more than there are places for, looks often while
// there is work or some was just published, and seldom otherwise. Any number of workers may run
// against one database. Ending waits for what is being sent, which is never longer than a timeout.
import { assert } from '../basics/assert.ts'
import { createAlarm } from '../jobs/alarm.ts'
import { errorFields } from '../jobs/error-text.ts'
import { attemptDelivery, profilesByService, type SenderContext } from './attempt-delivery.ts'
import { createClaimer, leaseSeconds } from './claim-deliveries.ts'
import type { Claimed } from './claimed-store.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { keepOpened } from './opened-secrets.ts'
import type { WebhookProfile } from './profile.ts'
import { createRecorder } from './record-attempts.ts'

export type DeliveryWorker = {
  start(): void
  // Something is about to be there: look at once, and again soon.
  wake(): void
  stop(): Promise<void>
  // Sends all that is due now, until nothing is left. For tests and commands.
  drain(): Promise<void>
  running: Lanes['running']
}

export type DeliveryWorkerOptions = {
  readonly context: SenderContext
  readonly profiles: readonly WebhookProfile[]
  readonly onAttempt?: (service: string, result: string, isDead: boolean) => void
}

const pollMsMin = 10
const pollMsMax = 500
// After a look that found something, unless half of that has ended before.
const busyMs = 25
const outageDelayMs = 2000

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { profiles, onAttempt } = options
  const context = { ...options.context, secrets: keepOpened(options.context.secrets) }
  assertShorterThanLease(profiles)
  const profileOf = profilesByService(profiles)
  const lanes = createLanes()
  const claim = createClaimer(context, lanes)
  const recorder = createRecorder(context, profileOf)
  const alarm = createAlarm()
  const sending = new Set<Promise<void>>()
  let loop: Promise<void> | null = null
  let isStopping = false
  let delayMs = pollMsMin
  const pace = createPace(alarm.ring)

  async function sendOne(claimed: Claimed): Promise<void> {
    try {
      const { recorded, outcome } = await inPlace(lanes.enter(claimed), () =>
        attemptDelivery(context, profileOf(claimed.addressee.service), claimed),
      )
      pace.ended()
      const isRecorded = await recorder.record(recorded)
      if (outcome) {
        // Whoever has its claim now will tell of its end.
        const isDead = isRecorded && !claimed.stoppedAs && recorded.stoppedAs === 'dead_lettered'
        onAttempt?.(claimed.addressee.service, outcome.error ?? 'success', isDead)
      }
    } catch (error) {
      // The lease runs out, and it is tried again.
      context.log.error({ deliveryId: claimed.deliveryId, ...errorFields(error) }, 'not sent')
      onAttempt?.(claimed.addressee.service, 'internal', false)
    }
  }

  async function claimAndSend(isSweep?: boolean): Promise<number> {
    const found = await claim(isSweep)
    for (const claimed of found) {
      const sent = sendOne(claimed)
      sending.add(sent)
      void sent.finally(() => sending.delete(sent))
    }
    return found.length
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        const count = await claimAndSend()
        pace.began(count)
        if (count > 0) delayMs = busyMs
      } catch (error) {
        context.log.warn(errorFields(error), 'looking for webhooks to send failed')
        delayMs = outageDelayMs
      }
      await alarm.sleep(delayMs)
      delayMs = Math.min(delayMs * 2, pollMsMax)
    }
  }

  return {
    start() {
      assert(!loop && !isStopping, 'a worker starts once')
      loop = run()
    },
    wake() {
      delayMs = pollMsMin
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
      assert(!loop, 'only a worker that was not started can be drained')
      while ((await claimAndSend(true)) > 0 || sending.size > 0) await Promise.all(sending)
    },
    running: lanes.running,
  }
}

// Whatever goes wrong, from the profile on, the place is given back.
async function inPlace<T>(place: { end(): void }, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } finally {
    place.end()
  }
}

// With time left to record; otherwise another worker would send the same again.
function assertShorterThanLease(profiles: readonly WebhookProfile[]): void {
  for (const { service, timeoutMs } of profiles) {
    assert(timeoutMs * 2 <= leaseSeconds * 1000, `${service}: the timeout is too near the lease`)
  }
}

// To look whenever a place becomes free would cost more than to send: it is time when as many
// attempts have ended as half of what the last look began.
function createPace(onTime: () => void) {
  let begun = 0
  let ended = 0
  return {
    began(count: number) {
      begun = count
      ended = 0
    },
    ended() {
      ended += 1
      if (2 * ended >= begun) onTime()
    },
  }
}
