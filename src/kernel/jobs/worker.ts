// The loop that turns queued rows into work. It claims no more than it has free slots for, asks
// often while there is work and seldom while there is none, and survives a database that goes
// away. Any number of workers may run against one database; the claims keep them apart.
//
// Ending is a sequence: no new claims; a grace period in which what runs may finish; then the
// signal of what is left aborts, and its claims are handed back, so that another worker takes
// them at once instead of when the lease has run out.
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
  // Runs all that is due now, and what that makes due, until nothing is left. For tests and
  // commands; a worker that was started looks by itself.
  drain(): Promise<void>
}

export type WorkerOptions<C extends Context> = {
  readonly context: C
  readonly jobs: readonly Job<C, never>[]
  readonly schedules: readonly Schedule<C>[]
  // Jobs at the same time. Schedules come on top: there are few, and a flood of jobs must not
  // keep them waiting.
  readonly slots: number
  // The longest wait between two looks while idle, thus the longest delay of a job that another
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
// Long enough for a call to a slow service, shorter than what a service manager waits before it
// kills the process.
const graceMsDefault = 10_000
// What a job that heeds its signal needs to end by itself.
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

  // Errors end here: whatever goes wrong in one look, the next may succeed.
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

  // Only what ignores its signal is left here. It may run on until the process ends, but it
  // cannot record anything any more.
  async function release(task: Task): Promise<void> {
    try {
      await task.release()
    } catch (error) {
      log.warn({ error: errorText(error) }, 'a claim was not released; its lease will run out')
    }
  }

  return {
    start() {
      assert(!loop && !stopped, 'a worker starts once')
      loop = run()
    },
    wake: alarm.ring,
    stop() {
      stopped ??= stop()
      return stopped
    },
    async drain() {
      assert(!loop && !stopped, 'only a worker that was not started can be drained')
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
