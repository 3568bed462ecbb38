// For commands that keep running while the service restarts. The embedded database restarts with
// it, and can have another address afterwards.
import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../config.ts'
import { StartError } from '../../kernel/basics/start-error.ts'
import type { Database } from '../../kernel/db/database.ts'
import { assertUsable, connectToRunning } from '../../start/open-storage.ts'

const pollMs = 500

// Undefined if the command ended meanwhile.
export async function connectWhenBack(
  settings: Settings,
  stop: AbortSignal,
): Promise<Database | undefined> {
  while (!stop.aborted) {
    const database = await tryToConnect(settings)
    if (database) return database
    await pause(pollMs, undefined, { signal: stop }).catch(() => undefined)
  }
  return undefined
}

async function tryToConnect(settings: Settings): Promise<Database | undefined> {
  let database: Database | undefined
  try {
    database = connectToRunning(settings)
    await assertUsable(database)
    return database
  } catch (error) {
    await database?.close()
    if (error instanceof StartError) return undefined
    throw error
  }
}
