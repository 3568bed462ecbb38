// A separate PostgreSQL server for the time of a measurement, as durable as the service's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/kernel/basics/clock.ts'
import { createLog } from '../src/kernel/basics/log.ts'
import { connect } from '../src/kernel/db/database.ts'
import { lockDataDirectory } from '../src/kernel/db/embedded-lock.ts'
import { startEmbeddedServer } from '../src/kernel/db/embedded-server.ts'
import { insertDatabase } from '../src/kernel/db/server-store.ts'
import { prepareDatabase } from '../src/start/open-storage.ts'
import type { Defer } from './servers.ts'

export type RunningDatabase = {
  readonly url: string
  readonly socketDir: string
  readonly logFile: string
  readonly pid: number
}

export async function startDatabase(dataDir: string, defer: Defer): Promise<RunningDatabase> {
  const log = createLog('error')
  const directory = lockDataDirectory(dataDir)
  const { signal } = new AbortController()
  const searchPath = process.env.PATH ?? ''
  const server = await startEmbeddedServer({ directory, searchPath, log, signal })
  defer(async () => {
    await server.stop()
    directory.release()
  })
  const admin = connect({ url: server.url('postgres'), poolSize: 1 })
  await insertDatabase(admin.sql, 'tillbook')
  await admin.close()
  const url = server.url('tillbook')
  const database = connect({ url, poolSize: 1 })
  await prepareDatabase(database, { clock: systemClock, log })
  await database.close()
  const socketDir = new URL(url).searchParams.get('host') ?? ''
  const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  return { url, socketDir, logFile: join(dataDir, 'postgres.log'), pid }
}
