// The servers of a run. `npm run test:cluster` names the workers of a Citus coordinator; otherwise
// there is one server. On a cluster every database is made on all servers, and the template is
// distributed.
import { distribute } from '../../src/app/distribution/distribute.ts'
import { connect, type Sql } from '../../src/kernel/db/database.ts'

// Few, so that a clone takes seconds.
const shardCount = 4

export function serverUrls(): readonly string[] {
  const url = process.env.TEST_SERVER_URL
  if (!url) throw new Error('TEST_SERVER_URL is not set: run the tests with `npm test`')
  return [url, ...workerUrls()]
}

export function isCluster(): boolean {
  return workerUrls().length > 0
}

function workerUrls(): string[] {
  return (process.env.TEST_WORKER_URLS ?? '').split(' ').filter((url) => url !== '')
}

export function atDatabase(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

// On one connection to each server.
export async function administerAll(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  await Promise.all(serverUrls().map((url) => onServer(atDatabase(url, 'postgres'), work)))
}

export async function onServer(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  // Files wait for each other here, as long as a busy machine makes them.
  const server = connect({ url, poolSize: 1, withoutTimeLimits: true })
  try {
    await work(server.sql)
  } finally {
    await server.close()
  }
}

// Before the first migration.
export async function joinServers(database: string): Promise<void> {
  if (!isCluster()) return
  const urls = serverUrls().map((url) => atDatabase(url, database))
  for (const url of urls) await onServer(url, (sql) => sql`create extension citus`)
  const [coordinator, ...workers] = urls.map((url) => new URL(url))
  await onServer(coordinator?.href ?? '', async (sql) => {
    await sql`select citus_set_coordinator_host(${coordinator?.hostname ?? ''}, ${portOf(coordinator)})`
    for (const worker of workers) {
      await sql`select citus_add_node(${worker.hostname}, ${portOf(worker)})`
    }
    await sql.unsafe(`alter database ${database} set citus.shard_count = ${shardCount}`)
  })
}

// After the last one. No one connects to a template, not even Citus: one that is in use cannot be
// cloned.
export async function distributeTemplate(database: string, migrationCount: number): Promise<void> {
  if (!isCluster()) return
  const [coordinator = ''] = serverUrls()
  await onServer(atDatabase(coordinator, database), (sql) =>
    distribute(sql, migrationCount, () => undefined),
  )
  await administerAll(async (sql) => {
    await sql.unsafe(`alter database ${database} with allow_connections false`)
    await sql`
      select pg_terminate_backend(pid, 10000)
      from pg_stat_activity
      where datname = ${database}`
  })
}

// A clone has the tables of its template and not the settings.
export async function setLike(sql: Sql, template: string, database: string): Promise<void> {
  if (!isCluster()) return
  const [row] = await sql<{ settings: string[] }[]>`
    select setting.setconfig as settings
    from pg_db_role_setting as setting
    join pg_database as template on template.oid = setting.setdatabase
    where template.datname = ${template}
      and setting.setrole = 0`
  for (const setting of row?.settings ?? []) {
    const [name = '', value = ''] = setting.split('=')
    await sql.unsafe(`alter database ${database} set ${name} = '${value}'`)
  }
}

function portOf(address: URL | undefined): number {
  return Number(address?.port || 5432)
}
