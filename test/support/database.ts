// A separate database for a test file, cloned from the migrated template.
import { randomUUID } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { connect, type Database, type Sql } from '../../src/kernel/db/database.ts'
import { parseAddress } from '../../src/kernel/db/database-address.ts'
import { administerAll, atDatabase, isCluster, onServer, serverUrls, setLike } from './cluster.ts'

export const templateName = process.env.TEMPLATE_NAME ?? 'tillbook_template'

export function serverUrl(database = 'postgres'): string {
  const [url = ''] = serverUrls()
  return atDatabase(url, database)
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
  await administerAll(async (sql) => {
    // Cloning takes a lock on the template; two files that clone at once wait for each other.
    await sql`select pg_advisory_lock(1)`
    await sql`create database ${sql(name)} template ${sql(templateName)} strategy file_copy`
    await setLike(sql, templateName, name)
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
      await administerAll((sql) => sql`drop database ${sql(name)} with (force)`)
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
  await onServer(serverUrl(), work)
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
  await expect.poll(() => countBlocked(sql)).toBe(count)
}

const blocked = `
  select count(*)
  from pg_stat_activity
  where datname = current_database()
    and wait_event_type = 'Lock'`

// A statement that waits on a worker is not seen to wait on the coordinator.
async function countBlocked(sql: Sql): Promise<number> {
  const text = isCluster()
    ? `select sum(result::integer) as count from run_command_on_all_nodes($$${blocked}$$)`
    : blocked
  const [row] = await sql.unsafe<{ count: bigint }[]>(text)
  return Number(row?.count ?? 0)
}
