// Starts one embedded PostgreSQL for the whole run, and builds the template that every test file
// clones. TEST_SERVER_URL names another server instead.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import { connect } from '../../src/kernel/db/database.ts'
import { lockDataDirectory } from '../../src/kernel/db/embedded-lock.ts'
import { startEmbeddedServer } from '../../src/kernel/db/embedded-server.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { administerAll, distributeTemplate, joinServers } from './cluster.ts'
import { createDatabase, serverUrl, templateName } from './database.ts'
import { findCrossing } from './explain-statements.ts'
import { memoryDirectory } from './memory-directory.ts'
import { splitTables } from './partitioned-copy.ts'
import { readRecorded, recordVariable } from './recorded-statements.ts'
import { findLeaks, runLogVariable } from './run-log.ts'

let stopServer: () => Promise<void> = async () => undefined
let runLogDirectory = ''

export async function setup(): Promise<void> {
  runLogDirectory = mkdtempSync(join(memoryDirectory(), 'tillbook-run-log-'))
  process.env[runLogVariable] = runLogDirectory
  if (!process.env.TEST_SERVER_URL) await startServer()
  try {
    await administerAll(async (sql) => {
      await sql`drop database if exists ${sql(templateName)} with (force)`
      await sql`create database ${sql(templateName)}`
    })
    await joinServers(templateName)
    const database = connect({ url: serverUrl(templateName), poolSize: 2 })
    const migrations = readMigrations('migrations')
    await migrate(database.sql, migrations, systemClock)
    await database.close()
    await distributeTemplate(templateName, migrations.length)
  } catch (error) {
    await stopServer()
    throw error
  }
}

export async function teardown(): Promise<void> {
  const crossing = process.env[recordVariable] ? await explainRecorded() : []
  await stopServer()
  const leaks = findLeaks(runLogDirectory)
  rmSync(runLogDirectory, { recursive: true, force: true })
  if (leaks.length > 0) {
    const shown = leaks.slice(0, 20).join('\n')
    throw new Error(
      `the log of this run holds ${leaks.length} secrets that were handed out:\n${shown}`,
    )
  }
  if (crossing.length === 0) return
  throw new Error(
    `${crossing.length} statements would ask several servers of a cluster. Give the business to ` +
      `every table in them (see CONTRIBUTING.md):\n${crossing.join('\n')}`,
  )
}

async function explainRecorded(): Promise<string[]> {
  const database = await createDatabase(1)
  try {
    await splitTables(database.sql)
    return await findCrossing(database.sql, readRecorded(runLogDirectory))
  } finally {
    await database.drop()
  }
}

async function startServer(): Promise<void> {
  const path = mkdtempSync(join(memoryDirectory(), 'tillbook-test-'))
  const server = await startEmbeddedServer({
    directory: lockDataDirectory(path),
    searchPath: process.env.PATH ?? '',
    log: createLog('warn'),
    signal: new AbortController().signal,
    // The data lives as long as the run: nothing needs to survive a power cut.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_wal_size: '256MB',
      max_connections: '300',
    },
  })
  process.env.TEST_SERVER_URL = server.url('postgres')
  const remove = () => rmSync(path, { recursive: true, force: true })
  // A run that is cut short must not leave its server or its data behind.
  const abandon = () => {
    server.stopWithoutWaiting()
    remove()
  }
  process.once('exit', abandon)
  stopServer = async () => {
    process.off('exit', abandon)
    await server.stop()
    remove()
  }
}
