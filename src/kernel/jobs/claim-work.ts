// Finds what is due, claims as much as there is room for, and starts it. One look costs one query
// for schedules and one for shards, and then one claim for each shard that had something.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import type { Job } from './job.ts'
import { listDueShards, lockDueJobs } from './job-store.ts'
import { startJob } from './run-job.ts'
import { claimAndStartSchedule } from './run-schedule.ts'
import type { Schedule } from './schedule.ts'
import { insertSchedule, listDueSchedules, updateScheduleLatest } from './schedule-store.ts'
import type { Task } from './task.ts'

export type Claimer = {
  readonly running: ReadonlySet<Task>
  freeSlots(): number
  // How many were claimed and started. `onSettled` is called as each of them ends.
  claim(onSettled: () => void): Promise<number>
}

export type ClaimerOptions<C extends Context> = {
  readonly context: C
  readonly jobs: readonly Job<C, never>[]
  readonly schedules: readonly Schedule<C>[]
  readonly slots: number
  readonly heartbeatMsMax: number
}

export function createClaimer<C extends Context>(options: ClaimerOptions<C>): Claimer {
  const { context, slots, heartbeatMsMax } = options
  const { clock, ids } = context
  const { sql } = context.database
  const jobs = new Map(options.jobs.map((job) => [job.kind, job]))
  const schedules = new Map(options.schedules.map((schedule) => [schedule.name, schedule]))
  const running = new Set<Task>()
  let jobsRunning = 0
  let schedulesKnown = false
  // Shards that may hold more than was claimed so far. Only when none is left are all shards
  // asked again, so that a long queue is not counted through at every look.
  let shards: number[] = []

  function track(task: Task, onEnd: () => void): void {
    running.add(task)
    void task.done.then(() => {
      running.delete(task)
      onEnd()
    })
  }

  async function claimJobs(onSettled: () => void): Promise<number> {
    let count = 0
    if (jobs.size === 0) return count
    if (shards.length === 0) shards = await listDueShards(sql, [...jobs.keys()], clock.now())
    for (;;) {
      const limit = slots - jobsRunning
      if (limit <= 0) return count
      const shard = shards.shift()
      if (shard === undefined) return count
      const now = clock.now()
      const claims = await lockDueJobs(sql, {
        shard,
        claimId: ids.uuid(),
        leases: options.jobs.map(({ kind, leaseSeconds }) => ({
          kind,
          until: addSeconds(now, leaseSeconds),
        })),
        now,
        limit,
      })
      // A full batch hints at more; the shard goes to the back, so that others have their turn.
      if (claims.length === limit) shards.push(shard)
      for (const claim of claims) {
        const job = jobs.get(claim.kind)
        if (!job) continue
        jobsRunning += 1
        track(startJob(context, job, claim, heartbeatMsMax), () => {
          jobsRunning -= 1
          onSettled()
        })
      }
      count += claims.length
    }
  }

  async function claimSchedules(onSettled: () => void): Promise<number> {
    let count = 0
    if (schedules.size === 0) return count
    if (!schedulesKnown) await insertSchedules()
    for (const name of await listDueSchedules(sql, [...schedules.keys()], clock.now())) {
      const schedule = schedules.get(name)
      if (!schedule) continue
      const task = await claimAndStartSchedule(context, schedule, heartbeatMsMax)
      if (!task) continue
      track(task, onSettled)
      count += 1
    }
    return count
  }

  // A schedule that the database has not seen is due at once.
  async function insertSchedules(): Promise<void> {
    const now = clock.now()
    for (const { name, everySeconds } of schedules.values()) {
      await insertSchedule(sql, name, now)
      await updateScheduleLatest(sql, name, addSeconds(now, everySeconds))
    }
    schedulesKnown = true
  }

  return {
    running,
    freeSlots: () => slots - jobsRunning,
    claim: async (onSettled) => (await claimSchedules(onSettled)) + (await claimJobs(onSettled)),
  }
}
