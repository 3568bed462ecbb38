// Finds due work, claims as much as there are free slots, and starts it. One look takes one query
// for schedules, one for shards, and one claim per shard that has due jobs.
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
  // Returns how many were claimed and started. `onSettled` is called when each of them ends.
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
  const { context, heartbeatMsMax } = options
  const { clock } = context
  const { sql } = context.database
  const schedules = new Map(options.schedules.map((schedule) => [schedule.name, schedule]))
  const running = new Set<Task>()
  let schedulesKnown = false

  function track(task: Task, onEnd: () => void): void {
    running.add(task)
    void task.done.then(() => {
      running.delete(task)
      onEnd()
    })
  }

  const pools = poolsOf(options).map((pool) => createPool(options, pool, track))

  async function claimJobs(onSettled: () => void): Promise<number> {
    let count = 0
    for (const pool of pools) count += await pool.claim(onSettled)
    return count
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

  // A new schedule is due at once.
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
    freeSlots: () => pools.reduce((sum, pool) => sum + pool.freeSlots(), 0),
    claim: async (onSettled) => (await claimSchedules(onSettled)) + (await claimJobs(onSettled)),
  }
}

type PoolOptions<C extends Context> = Pick<ClaimerOptions<C>, 'jobs' | 'slots'>

// One pool for all jobs, and one for each job that has its own slots.
function poolsOf<C extends Context>({ jobs, slots }: ClaimerOptions<C>): PoolOptions<C>[] {
  const shared = jobs.filter(({ ownSlots }) => ownSlots === undefined)
  const apart = jobs.flatMap((job) =>
    job.ownSlots === undefined ? [] : [{ jobs: [job], slots: job.ownSlots }],
  )
  return [...(shared.length > 0 ? [{ jobs: shared, slots }] : []), ...apart]
}

function createPool<C extends Context>(
  { context, heartbeatMsMax }: ClaimerOptions<C>,
  { jobs, slots }: PoolOptions<C>,
  track: (task: Task, onEnd: () => void) => void,
): Pick<Claimer, 'freeSlots' | 'claim'> {
  const { clock, ids } = context
  const { sql } = context.database
  const byKind = new Map(jobs.map((job) => [job.kind, job]))
  let running = 0
  // Shards that may have more than was claimed so far. All shards are queried again only when none
  // is left, so that a look does not count a long queue every time.
  let shards: number[] = []

  async function claimShard(shard: number, limit: number) {
    const now = clock.now()
    const leases = jobs.map(({ kind, leaseSeconds }) => ({
      kind,
      until: addSeconds(now, leaseSeconds),
    }))
    return lockDueJobs(sql, { shard, claimId: ids.uuid(), leases, now, limit })
  }

  return {
    freeSlots: () => slots - running,
    async claim(onSettled) {
      let count = 0
      if (shards.length === 0) shards = await listDueShards(sql, [...byKind.keys()], clock.now())
      for (;;) {
        const limit = slots - running
        if (limit <= 0) return count
        const shard = shards.shift()
        if (shard === undefined) return count
        const claims = await claimShard(shard, limit)
        // A full batch suggests more. The shard goes to the back, so that the others get their
        // turn.
        if (claims.length === limit) shards.push(shard)
        for (const claim of claims) {
          const job = byKind.get(claim.kind)
          if (!job) continue
          running += 1
          track(startJob(context, job, claim, heartbeatMsMax), () => {
            running -= 1
            onSettled()
          })
        }
        count += claims.length
      }
    },
  }
}
