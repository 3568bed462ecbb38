// Writes the log of API requests. A request only adds a row to a list in memory. The list is
// written in one statement, a second after its first row or when it is long, and when the service
// stops. A process that is killed loses its last second; a request must never wait for its log.
import type { Context } from '../db/context.ts'
import type { NewApiRequest } from './api-request.ts'
import { insertApiRequests } from './api-request-store.ts'

const delayMs = 1000
const batchMax = 500
// While the database is away. Requests fail then anyway.
const waitingMax = 5_000
const pathMax = 300

export type RequestRecorder = {
  record(request: Omit<NewApiRequest, 'id'>): void
  // Writes what is waiting.
  flush(): Promise<void>
}

export function createRequestRecorder({
  database,
  ids,
  log,
}: Pick<Context, 'database' | 'ids' | 'log'>): RequestRecorder {
  let waiting: NewApiRequest[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  async function write(batch: readonly NewApiRequest[]): Promise<void> {
    try {
      await insertApiRequests(database.sql, batch)
    } catch (error) {
      log.warn({ err: error, requests: batch.length }, 'API requests are missing from the log')
    }
  }

  // One batch at a time. What comes meanwhile waits, as far as there is room.
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await write(batch)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  return {
    record(request) {
      if (waiting.length >= waitingMax) return
      waiting.push({ ...request, id: ids.uuid(), path: request.path.slice(0, pathMax) })
      if (waiting.length >= batchMax) void flush()
      else timer ??= setTimeout(flush, delayMs).unref()
    },
    flush,
  }
}
