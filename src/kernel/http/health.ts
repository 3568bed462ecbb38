// The health of the components, as `/readyz` and the landing page show it. The worker can be
// another process: the last run of a schedule in the database shows that it is alive. A dead worker
// does not make the service unready, since the API works without it.
import { addSeconds } from '../basics/clock.ts'
import type { Log } from '../basics/log.ts'
import type { Context } from '../db/context.ts'
import { findLatestRun } from '../jobs/schedule-store.ts'

export type PartHealth = 'up' | 'down' | 'stopping'

export type Health = {
  check(): Promise<{ ready: boolean; parts: Record<string, PartHealth> }>
  setReady(ready: boolean): void
  // False while the process starts or stops.
  isAccepting(): boolean
}

// A database that takes longer than this is as good as gone for a caller.
const databaseTimeoutMs = 2_000
// Probes and visitors can come often. They share a result of at most this age.
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
    isAccepting: () => accepting,
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

// Undefined if the database failed or did not answer in time. The error itself goes to the log.
export async function withinTime<T>(work: Promise<T>, log: Log): Promise<{ value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), databaseTimeoutMs)
  })
  const answer = work.then(
    (value) => ({ value }),
    (error: unknown) => {
      log.warn({ err: error }, 'a database query for health or metrics failed')
      return undefined
    },
  )
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
