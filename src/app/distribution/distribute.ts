// Turns a database on a Citus coordinator into a distributed one. It can be repeated: after a
// failure it goes on where it stopped, and after a migration it distributes the new tables.
import { StartError } from '../../kernel/basics/start-error.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { migrationLock } from '../../kernel/db/migrate.ts'
import type { SqlTag } from '../../kernel/db/statement.ts'
import { findObstacles, missingGuards, readCatalogue } from './catalogue.ts'
import { listTriggers } from './catalogue-store.ts'
import {
  findCitusVersion,
  findDatabaseName,
  findMigrationCount,
  findNodeCounts,
  findOtherConnections,
  listDetachedObjects,
  listPlacedTables,
} from './cluster-store.ts'
import { placeStatement, planDistribution, type Step } from './plan-distribution.ts'
import { tableMap } from './table-map.ts'

// What has to be changed first, one sentence each.
export class DistributionError extends Error {
  override readonly name = 'DistributionError'
  readonly reasons: readonly string[]

  constructor(reasons: readonly string[]) {
    super(reasons.join('\n'))
    this.reasons = reasons
  }
}

// Works on any database, with and without Citus. `migrationCount` is that of this version.
export async function findReasonsAgainst(sql: SqlTag, migrationCount: number): Promise<string[]> {
  const applied = await findMigrationCount(sql)
  if (applied !== migrationCount) {
    return [
      `the database is not at this version (${applied} of ${migrationCount} migrations): ` +
        'run `cli migrate` first',
    ]
  }
  const detached = (await listDetachedObjects(sql)).map(
    ({ tableName, name }) => `${tableName} ${name}`,
  )
  return [
    ...findObstacles(await readCatalogue(sql), detached),
    ...(await findServerReasons(sql)),
    ...(await findConnectionReasons(sql)),
  ]
}

export async function distribute(
  sql: Sql,
  migrationCount: number,
  tell: (line: string) => void,
): Promise<void> {
  const connection = await sql.reserve()
  try {
    // Services that start meanwhile wait for this lock, as they do for migrations.
    await connection`select pg_advisory_lock(${migrationLock})`
    const reasons = await findReasonsAgainst(connection, migrationCount)
    if (reasons.length > 0) throw new DistributionError(reasons)
    // One server after the other: keys to copied tables and what follows them need it.
    await connection`set citus.multi_shard_modify_mode = 'sequential'`
    await connection`set citus.enable_unsafe_triggers = on`
    const steps = planDistribution({
      catalogue: await readCatalogue(connection),
      placed: await listPlacedTables(connection),
      detached: await listDetachedObjects(connection),
      databaseName: await findDatabaseName(connection),
    })
    for (const [index, step] of steps.entries()) {
      tell(`${index + 1}/${steps.length}  ${step.says}`)
      await runStep(connection, step)
    }
    await assertWhole(connection)
  } finally {
    await connection`select pg_advisory_unlock(${migrationLock})`
    connection.release()
  }
}

// For migrations: on a distributed database, a new table is placed before foreign keys lead from it
// to the others.
export async function placeNewTable(connection: SqlTag, table: string): Promise<void> {
  const placement = tableMap.get(table)
  if (!placement || placement.kind === 'local') return
  if ((await findCitusVersion(connection)) === undefined) return
  if ((await listPlacedTables(connection)).length === 0) return
  await connection.unsafe(placeStatement(table, placement))
}

// For every start: nothing runs on a database whose guards are off. Answers what is missing.
export async function findMissingGuards(sql: SqlTag): Promise<string[]> {
  const detached = await listDetachedObjects(sql)
  return [
    ...new Set([
      ...missingGuards(await listTriggers(sql)),
      ...detached.map(({ tableName, name }) => `${tableName} ${name}`),
    ]),
  ]
}

async function findServerReasons(sql: SqlTag): Promise<string[]> {
  if ((await findCitusVersion(sql)) === undefined) {
    return [
      'the server has no Citus: install it on every server, add `citus` to ' +
        '`shared_preload_libraries`, and run `create extension citus` in this database',
    ]
  }
  const { coordinatorCount, workerCount } = await findNodeCounts(sql)
  return [
    ...(coordinatorCount > 0
      ? []
      : [
          'the coordinator does not know its own address: ' +
            "run `select citus_set_coordinator_host('<its host name>')`",
        ]),
    ...(workerCount > 0
      ? []
      : ["there is no worker: run `select citus_add_node('<host name>', 5432)` for each"]),
  ]
}

async function findConnectionReasons(sql: SqlTag): Promise<string[]> {
  const others = await findOtherConnections(sql)
  if (others === 0) return []
  return [
    `${others} other ${others === 1 ? 'connection is' : 'connections are'} open on this ` +
      'database: stop every process of the service, and close other programs',
  ]
}

async function runStep(
  connection: SqlTag,
  { says, statements, returnsFailures }: Step,
): Promise<void> {
  await connection`begin`
  try {
    let rows: readonly unknown[] = []
    for (const statement of statements) rows = await connection.unsafe(statement)
    if (returnsFailures && rows.length > 0) {
      throw new Error(`refused by a worker: ${JSON.stringify(rows)}`)
    }
    await connection`commit`
  } catch (error) {
    // The connection may be lost, too; the first error says more.
    await connection`rollback`.catch(() => undefined)
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `stopped at “${says}”: ${reason}. Remove the cause and run \`cli distribute\` again; it goes ` +
        'on from there. Until then, no service starts on this database.',
      { cause: error },
    )
  }
}

async function assertWhole(connection: SqlTag): Promise<void> {
  const missing = await findMissingGuards(connection)
  if (missing.length === 0) return
  throw new Error(`missing after the last step: ${missing.join(', ')}`)
}
