// A separate database for a test file, cloned from the migrated template.
import { randomUUID } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { connect, type Database, type Sql } from '../../src/kernel/db/database.ts'
import { parseAddress } from '../../src/kernel/db/database-address.ts'

export const templateName = process.env.TEMPLATE_NAME ?? 'tillbook_template'

export function serverUrl(database = 'postgres'): string {
  const url = process.env.TEST_SERVER_URL
  if (!url) throw new Error('TEST_SERVER_URL is not set: run the tests with `npm test`')
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

// A connection to the server of this address, which may listen at a Unix socket.
export function dial(url: string): Socket {
  const [{ host, port } = { host: '', port: 0 }] = parseAddress(url).endpoints
  return host.startsWith('/')
    ? connectSocket(`${host}/.s.PGSQL.${port}`)
    : connectSocket(port, host)
}

// The same database behind another port of this machine.
export function atPort(url: string, port: number): URL {
  const address = new URL(url)
  address.searchParams.delete('host')
  address.hostname = '127.0.0.1'
  address.port = String(port)
  return address
}

export type TestDatabase = Database & {
  url: string
  // One connection for repeated queries, on which the server caches their plans. Opened on first
  // use.
  observer: Sql
  drop(): Promise<void>
}

export async function createDatabase(poolSize = 10): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(async (sql) => {
    // Cloning takes a lock on the template; two files that clone at once wait for each other.
    await sql`select pg_advisory_lock(1)`
    await sql`create database ${sql(name)} template ${sql(templateName)} strategy file_copy`
  })
  const url = serverUrl(name)
  const database = connect({ url, poolSize })
  const observer = connect({ url, poolSize: 1 })
  return {
    ...database,
    url,
    observer: observer.sql,
    async drop() {
      await Promise.all([database.close(), observer.close()])
      await administer((sql) => sql`drop database ${sql(name)} with (force)`)
    },
  }
}

// For a single test that needs its own database.
export async function databaseForThisTest(): Promise<TestDatabase> {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  return database
}

// On one connection to the server itself.
export async function administer(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  // Files wait for each other here, as long as a busy machine makes them.
  const admin = connect({ url: serverUrl(), poolSize: 1, withoutTimeLimits: true })
  try {
    await work(admin.sql)
  } finally {
    await admin.close()
  }
}

// Whether the server is running a statement that contains this word, for tests that wait for it.
export async function isRunning(word: string): Promise<boolean> {
  let found = false
  await administer(async (sql) => {
    const rows = await sql`
      select pid
      from pg_stat_activity
      where state = 'active'
        and pid <> pg_backend_pid()
        and query like ${`%${word}%`}`
    found = rows.length > 0
  })
  return found
}

// Waits until so many connections of this database wait for a lock.
export async function untilBlocked(sql: Sql, count: number): Promise<void> {
  await expect
    .poll(
      () => sql`
        select pid
        from pg_stat_activity
        where datname = current_database()
          and wait_event_type = 'Lock'`,
    )
    .toHaveLength(count)
}
