// The loop that runs queued work. It claims no more than it has free slots for, looks often while
// there is work and seldom otherwise, and survives a database outage. Any number of workers can
// share a database; claims keep them apart.
//
// Shutdown has three steps: no new claims; a grace period in which running work can finish; then
// the signals of the rest abort and their claims are released, so that another worker takes them at
// once instead of when the lease expires.
import { setTimeout as pause } from 'node:timers/promises'
import { assert } from '../basics/assert.ts'
import type { Context } from '../db/context.ts'
import { createAlarm } from './alarm.ts'
import { createClaimer } from './claim-work.ts'
import { errorFields, errorText } from './error-text.ts'
import type { Job } from './job.ts'
import type { Schedule } from './schedule.ts'
import type { Task } from './task.ts'

export type Worker = {
  start(): void
  // Looks for work now. Call it after the commit of a transaction that queued some.
  wake(): void
  stop(): Promise<void>
  // Runs everything that is due, and everything that becomes due from that, until nothing is left.
  // For tests and commands; a started worker looks by itself.
  drain(): Promise<void>
}

export type WorkerOptions<C extends Context> = {
  readonly context: C
  readonly jobs: readonly Job<C, never>[]
  readonly schedules: readonly Schedule<C>[]
  // Jobs at the same time. Schedules run in addition: there are few, and a flood of jobs must not
  // delay them.
  readonly slots: number
  // The longest wait between two looks while idle, and so the longest delay of a job that another
  // process queued.
  readonly pollMs?: number
  readonly graceMs?: number
  // A lease is renewed after a third of it, and at least this often.
  readonly heartbeatMsMax?: number
}

const pollMsMin = 50
const pollMsDefault = 1000
const outageDelayMsMin = 250
const outageDelayMsMax = 5000
// Long enough for a call to a slow service, shorter than the time after which a service manager
// kills the process.
const graceMsDefault = 10_000
// The time for a job to end after its signal aborts.
const abortMs = 1000

export function createWorker<C extends Context>(options: WorkerOptions<C>): Worker {
  const { log } = options.context
  const { slots, pollMs = pollMsDefault, graceMs = graceMsDefault } = options
  assert(slots >= 1, 'a worker needs a slot')
  assertDistinct(options.jobs.map((job) => job.kind))
  assertDistinct(options.schedules.map((schedule) => schedule.name))
  const claimer = createClaimer({
    ...options,
    heartbeatMsMax: options.heartbeatMsMax ?? Number.POSITIVE_INFINITY,
  })
  const alarm = createAlarm()
  let loop: Promise<void> | null = null
  let stopped: Promise<void> | null = null

  // Errors end here: if one look fails, the next may succeed.
  async function run(): Promise<void> {
    let delayMs = pollMsMin
    let outageDelayMs = outageDelayMsMin
    while (!stopped) {
      try {
        const claimed = await claimer.claim(alarm.ring)
        outageDelayMs = outageDelayMsMin
        if (claimed > 0 && claimer.freeSlots() > 0) continue
        delayMs = Math.min(claimed > 0 ? pollMsMin : delayMs * 2, pollMs)
      } catch (error) {
        log.warn(errorFields(error), 'looking for jobs failed')
        delayMs = outageDelayMs
        outageDelayMs = Math.min(outageDelayMs * 2, outageDelayMsMax)
      }
      await alarm.sleep(delayMs)
    }
  }

  async function stop(): Promise<void> {
    alarm.ring()
    await loop
    await settled(claimer.running, graceMs)
    for (const task of claimer.running) task.lease.end('stopping')
    await settled(claimer.running, abortMs)
    await Promise.all([...claimer.running].map(release))
  }

  // Work that ignores its signal. It may run until the process ends, but can't record anything any
  // more.
  async function release(task: Task): Promise<void> {
    try {
      await task.release()
    } catch (error) {
      log.warn({ error: errorText(error) }, 'a claim was not released; its lease will expire')
    }
  }

  return {
    start() {
      assert(!loop && !stopped, 'a worker can start only once')
      loop = run()
    },
    wake: alarm.ring,
    stop() {
      stopped ??= stop()
      return stopped
    },
    async drain() {
      assert(!loop && !stopped, 'a started worker cannot be drained')
      while ((await claimer.claim(() => undefined)) > 0 || claimer.running.size > 0) {
        await Promise.all([...claimer.running].map((task) => task.done))
      }
    },
  }
}

async function settled(tasks: ReadonlySet<Task>, timeoutMs: number): Promise<void> {
  if (tasks.size === 0) return
  const ended = new AbortController()
  const timeout = pause(timeoutMs, undefined, { signal: ended.signal }).catch(() => undefined)
  await Promise.race([Promise.all([...tasks].map((task) => task.done)), timeout])
  ended.abort()
}

function assertDistinct(names: string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  assert(repeated === undefined, `${repeated} is defined twice`)
}
