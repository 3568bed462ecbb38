// Says in the database that this process runs, for as long as it does.
import type { Clock } from '../kernel/basics/clock.ts'
import type { Log } from '../kernel/basics/log.ts'
import type { Database } from '../kernel/db/database.ts'
import { deleteProcess, updateProcessSeen } from '../kernel/db/process-store.ts'
import type { Resource } from './lifecycle.ts'

const intervalMs = 10_000

export function showProcess(
  { sql }: Pick<Database, 'sql'>,
  { clock, log }: { clock: Clock; log: Log },
  id: string,
): Resource {
  // An outage is told of elsewhere; the next turn tries again.
  const ignore = (error: unknown) => log.debug({ err: error }, 'could not say that it runs')
  const timer = setInterval(() => updateProcessSeen(sql, id, clock.now()).catch(ignore), intervalMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await deleteProcess(sql, id).catch(ignore)
    },
  }
}
