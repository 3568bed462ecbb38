// Whether every worker of a distributed database answers its coordinator, for `/readyz`. Addresses go
// to the log only: everybody may ask for readiness.
import type { Context } from '../../kernel/db/context.ts'
import type { PartHealth } from '../../kernel/http/health.ts'
import { findCitusVersion, listWorkers } from './cluster-store.ts'

// Shorter than what a probe waits for.
const connectMsMax = 1_500

// Undefined if there are no workers.
export function watchWorkers({ database, log }: Context): () => Promise<PartHealth | undefined> {
  // A database is distributed only while nothing else is connected to it.
  let isCluster: boolean | undefined
  let told = ''
  return async () => {
    isCluster ??= (await findCitusVersion(database.sql)) !== undefined
    if (!isCluster) return undefined
    const workers = await database.transaction((tx) => listWorkers(tx, connectMsMax))
    if (workers.length === 0) return undefined
    const down = workers.filter(({ isUp }) => !isUp).map(({ address }) => address)
    if (down.join() !== told) {
      told = down.join()
      if (told) log.error({ workers: down }, 'workers of the database do not answer')
      else log.info('all workers of the database answer again')
    }
    return told ? 'down' : 'up'
  }
}
