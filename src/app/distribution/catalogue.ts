// The schema of a database, and what of it a distributed database would not take.
import type { SqlTag } from '../../kernel/db/statement.ts'
import {
  type Column,
  type ForeignKey,
  listColumns,
  listForeignKeys,
  listTriggers,
  listUniqueKeys,
  type Trigger,
  type UniqueKey,
} from './catalogue-store.ts'
import { guards } from './guards.ts'
import { type Placement, tableMap } from './table-map.ts'

export type Catalogue = {
  readonly columns: readonly Column[]
  readonly uniqueKeys: readonly UniqueKey[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly triggers: readonly Trigger[]
}

export async function readCatalogue(sql: SqlTag): Promise<Catalogue> {
  return {
    columns: await listColumns(sql),
    uniqueKeys: await listUniqueKeys(sql),
    foreignKeys: await listForeignKeys(sql),
    triggers: await listTriggers(sql),
  }
}

function tablesOf({ columns }: Catalogue): string[] {
  return [...new Set(columns.map(({ table }) => table))]
}

// One sentence for each obstacle. `detached` are the names of keys and triggers that a distribution
// which did not finish has taken off.
export function findObstacles(catalogue: Catalogue, detached: readonly string[] = []): string[] {
  const tables = tablesOf(catalogue)
  return [
    ...tables
      .filter((table) => !tableMap.has(table))
      .map((table) => `${table} is not in src/app/distribution/table-map.ts`),
    ...[...tableMap.keys()]
      .filter((table) => !tables.includes(table))
      .map((table) => `${table} is in the map of tables and not in the database`),
    ...tables.flatMap((table) => columnObstacles(catalogue, table)),
    ...catalogue.uniqueKeys.flatMap(keyObstacles),
    ...catalogue.foreignKeys.flatMap(foreignKeyObstacles),
    ...catalogue.triggers.flatMap(triggerObstacles),
    ...missingGuards(catalogue.triggers)
      .filter((name) => !detached.includes(name))
      .map((name) => `the trigger ${name} is missing or switched off`),
  ]
}

// As `table name`, such as `kernel.ledger_lines ledger_lines_are_balanced`.
export function missingGuards(triggers: readonly Trigger[]): string[] {
  const present = new Set(
    triggers.filter(({ isEnabled }) => isEnabled).map(({ table, name }) => `${table} ${name}`),
  )
  return [...guards]
    .flatMap(([table, names]) => names.map((name) => `${table} ${name}`))
    .filter((name) => !present.has(name))
}

function columnObstacles({ columns, uniqueKeys }: Catalogue, table: string): string[] {
  const column = columnOf(tableMap.get(table))
  if (column === undefined) return []
  const own = columns.find((one) => one.table === table && one.name === column)
  // Without one, a server that takes over a part of the table cannot follow its changes.
  const hasPrimary = uniqueKeys.some((key) => key.table === table && key.isPrimary)
  return [
    ...(own ? [] : [`${table} has no column ${column}`]),
    ...(own && !own.isRequired ? [`${table}.${column} can be null`] : []),
    ...(hasPrimary ? [] : [`${table} has no primary key`]),
  ]
}

function keyObstacles({ table, name, columns }: UniqueKey): string[] {
  const column = columnOf(tableMap.get(table))
  if (column === undefined || columns.includes(column)) return []
  return [`the unique key ${name} of ${table} does not contain ${column}`]
}

function foreignKeyObstacles(key: ForeignKey): string[] {
  const [from, to] = [tableMap.get(key.table), tableMap.get(key.target)]
  if (!from || !to) return []
  const problem = foreignKeyProblem(key, from, to)
  return problem ? [`the foreign key ${key.name} of ${key.table} ${problem}`] : []
}

function foreignKeyProblem(key: ForeignKey, from: Placement, to: Placement): string | undefined {
  const [own, other] = [columnOf(from), columnOf(to)]
  if (to.kind === 'local') {
    return from.kind === 'local' ? undefined : `leads to ${key.target}, which is local`
  }
  if (own !== undefined && key.columns.includes(own) && setsColumns(key)) {
    return `would change ${own}`
  }
  // Rows of a reference table are on every server.
  if (to.kind === 'reference') return undefined
  if (own === undefined || groupOf(from) !== groupOf(to)) {
    return `leads to ${key.target}, which is kept elsewhere`
  }
  const position = key.columns.indexOf(own)
  if (position === -1 || key.targetColumns[position] !== other) {
    return `does not join ${own} with ${other} of ${key.target}`
  }
  return undefined
}

function setsColumns({ onDelete, onUpdate }: ForeignKey): boolean {
  return [onDelete, onUpdate].some((action) => action === 'n' || action === 'd')
}

function triggerObstacles({ table, name }: Trigger): string[] {
  const placement = tableMap.get(table)
  if (!placement || placement.kind === 'local') return []
  if (placement.kind === 'reference') {
    return [`the trigger ${name} is on ${table}, of which every server has a copy`]
  }
  if (guards.get(table)?.includes(name)) return []
  return [`the trigger ${name} of ${table} is not in src/app/distribution/guards.ts`]
}

function groupOf(placement: Placement): string | undefined {
  return 'with' in placement ? placement.with : undefined
}

function columnOf(placement: Placement | undefined): string | undefined {
  return placement && 'column' in placement ? placement.column : undefined
}
