// What a server says of Citus, and how far a distribution has come. The functions and tables of
// Citus are named without their schema: tests have their own.
import type { SqlTag } from '../../kernel/db/statement.ts'

// A key or a trigger that was taken off, with what puts it back.
export type DetachedObject = {
  readonly kind: 'foreign key' | 'trigger'
  readonly tableName: string
  readonly name: string
  readonly definition: string
}

export async function findCitusVersion(sql: SqlTag): Promise<string | undefined> {
  const [known] = await sql<{ isInstalled: boolean }[]>`
    select to_regproc('citus_version') is not null as is_installed`
  if (!known?.isInstalled) return undefined
  const [row] = await sql<{ version: string }[]>`select citus_version()::text as version`
  return row?.version
}

export async function findNodeCounts(
  sql: SqlTag,
): Promise<{ coordinatorCount: number; workerCount: number }> {
  const [row] = await sql<{ coordinatorCount: number; workerCount: number }[]>`
    select
      (count(*) filter (where groupid = 0))::integer as coordinator_count,
      (count(*) filter (where groupid <> 0 and isactive))::integer as worker_count
    from pg_dist_node`
  return row ?? { coordinatorCount: 0, workerCount: 0 }
}

// The workers that the coordinator takes for active. It opens a new connection to each of them, so
// one that has just vanished is noticed; the time for that is set for this transaction only.
export async function listWorkers(
  tx: SqlTag,
  connectMsMax: number,
): Promise<readonly { readonly address: string; readonly isUp: boolean }[]> {
  await tx`select set_config('citus.node_connection_timeout', ${String(connectMsMax)}, true)`
  return await tx<{ address: string; isUp: boolean }[]>`
    select nodename || ':' || nodeport as address, success as is_up
    from run_command_on_workers('select 1')
    order by 1`
}

// Tables that are distributed or copied to every server. Local tables that Citus has noticed, since
// they refer to a copied one, are not among them.
export async function listPlacedTables(sql: SqlTag): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select schema.nspname || '.' || relation.relname as name
    from pg_dist_partition as part
    join pg_class as relation on relation.oid = part.logicalrelid
    join pg_namespace as schema on schema.oid = relation.relnamespace
    where part.partmethod = 'h'
      or part.repmodel = 't'
    order by 1`
  return rows.map(({ name }) => name)
}

export async function listDetachedObjects(sql: SqlTag): Promise<readonly DetachedObject[]> {
  const [known] = await sql<{ exists: boolean }[]>`
    select to_regclass('kernel.detached_objects') is not null as exists`
  if (!known?.exists) return []
  return await sql<DetachedObject[]>`
    select kind, table_name, name, definition
    from kernel.detached_objects
    order by kind, table_name, name`
}

// Connections of other programs; those of Citus itself are not counted.
export async function findOtherConnections(sql: SqlTag): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from pg_stat_activity
    where datname = current_database()
      and pid <> pg_backend_pid()
      and backend_type = 'client backend'
      and application_name not like 'citus_%'
      and application_name not like 'Citus %'`
  return row?.count ?? 0
}

export async function findDatabaseName(sql: SqlTag): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select current_database()::text as name`
  return row?.name ?? ''
}

export async function findMigrationCount(sql: SqlTag): Promise<number> {
  const [known] = await sql<{ exists: boolean }[]>`
    select to_regclass('kernel.migrations') is not null as exists`
  if (!known?.exists) return 0
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from kernel.migrations`
  return row?.count ?? 0
}
