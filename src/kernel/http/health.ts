// The health of the parts, as `/readyz` and the landing page show it. The worker may be another
// process: what tells that it lives is the last run of a schedule that it left in the database.
// A worker that is down makes nobody unready, since the API answers without it.
import { addSeconds } from '../basics/clock.ts'
import type { Log } from '../basics/log.ts'
import type { Context } from '../db/context.ts'
import { findLatestRun } from '../jobs/schedule-store.ts'

export type PartHealth = 'up' | 'down' | 'stopping'

export type Health = {
  check(): Promise<{ ready: boolean; parts: Record<string, PartHealth> }>
  setReady(ready: boolean): void
}

// A database that takes longer than this to say anything is as good as gone for a caller.
const databaseTimeoutMs = 2_000
// Probes and visitors may come often; they share a look at the database that is this fresh.
const lookMsMin = 1_000
// Several times the interval of the most frequent schedule.
const workerSilenceSecondsMax = 60

export function createHealth(context: Context): Health {
  const { clock, database, log } = context
  let accepting = false
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let look: Promise<{ value: Date | null } | undefined> | undefined
  const lookAtDatabase = () => {
    const nowMs = clock.monotonicMs()
    if (!look || nowMs - lookedAtMs >= lookMsMin) {
      lookedAtMs = nowMs
      look = withinTime(findLatestRun(database.sql), log)
    }
    return look
  }
  return {
    setReady(ready) {
      accepting = ready
    },
    async check() {
      const answer = await lookAtDatabase()
      const aliveSince = addSeconds(clock.now(), -workerSilenceSecondsMax)
      const workerAlive = answer?.value != null && answer.value >= aliveSince
      const parts: Record<string, PartHealth> = {
        api: accepting ? 'up' : 'stopping',
        database: answer ? 'up' : 'down',
        worker: workerAlive ? 'up' : 'down',
      }
      return { ready: accepting && answer !== undefined, parts }
    },
  }
}

// Undefined when the database failed or did not answer in time: which error it was doesn't matter
// to the question asked, only to whoever reads the log.
export async function withinTime<T>(work: Promise<T>, log: Log): Promise<{ value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), databaseTimeoutMs)
  })
  const answer = work.then(
    (value) => ({ value }),
    (error: unknown) => {
      log.warn({ err: error }, 'the database could not be asked')
      return undefined
    },
  )
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
