// The health of the components, as `/readyz` and the landing page show it. The worker can be
// another process: the last run of a schedule in the database shows that it is alive. A dead worker
// does not make the service unready, since the API works without it. Nor does a server that holds a
// part of a distributed database: calls of the businesses on the others go on.
import { addSeconds, type Clock } from '../basics/clock.ts'
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
// A look at other servers of the database opens a connection to each.
const serversLookMsMin = 10_000
// Several times the interval of the most frequent schedule.
const workerSilenceSecondsMax = 60

export function createHealth(
  { clock, database, log }: Context,
  // Undefined if one server holds the whole database.
  findServersHealth: () => Promise<PartHealth | undefined> = async () => undefined,
): Health {
  let accepting = false
  let hasServers = false
  const lookAtDatabase = shared(lookMsMin, clock, () =>
    withinTime(findLatestRun(database.sql), log),
  )
  const lookAtServers = shared(serversLookMsMin, clock, () => withinTime(findServersHealth(), log))
  return {
    setReady(ready) {
      accepting = ready
    },
    isAccepting: () => accepting,
    async check() {
      const [answer, servers] = await Promise.all([lookAtDatabase(), lookAtServers()])
      const aliveSince = addSeconds(clock.now(), -workerSilenceSecondsMax)
      const workerAlive = answer?.value != null && answer.value >= aliveSince
      hasServers ||= servers?.value !== undefined
      // A look without an answer in time is none that all servers have answered.
      const serversHealth = servers ? servers.value : 'down'
      const parts: Record<string, PartHealth> = {
        api: accepting ? 'up' : 'stopping',
        database: answer ? 'up' : 'down',
        worker: workerAlive ? 'up' : 'down',
        ...(hasServers && serversHealth && { database_servers: serversHealth }),
      }
      return { ready: accepting && answer !== undefined, parts }
    },
  }
}

function shared<T>(ageMsMax: number, clock: Clock, look: () => Promise<T>): () => Promise<T> {
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let last: Promise<T> | undefined
  return () => {
    const nowMs = clock.monotonicMs()
    if (!last || nowMs - lookedAtMs >= ageMsMax) {
      lookedAtMs = nowMs
      last = look()
    }
    return last
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
