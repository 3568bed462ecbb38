// The statements that distribute a database, in order. Foreign keys and triggers come off first:
// Citus refuses a table that has triggers, and tables of the books refer to each other in a circle,
// so that no order of tables would do. What comes off is kept in a separate table, by the same
// transaction, so a run that was cut short is finished by the next one.
import type { Catalogue } from './catalogue.ts'
import type { DetachedObject } from './cluster-store.ts'
import { type Placement, tableMap } from './table-map.ts'

export type Step = {
  readonly says: string
  // They take effect together.
  readonly statements: readonly string[]
  // Each row that the last statement returns is a failure on one of the servers.
  readonly returnsFailures?: boolean
}

type Situation = {
  readonly catalogue: Catalogue
  readonly placed: readonly string[]
  readonly detached: readonly DetachedObject[]
  readonly databaseName: string
}

// Settings of a connection do not reach the other servers. One of them in another time zone would
// answer another day.
const databaseSettings = [
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['bytea_output', 'hex'],
  ['lock_timeout', '15s'],
  ['citus.enable_unsafe_triggers', 'on'],
] as const

export function planDistribution(situation: Situation): Step[] {
  const { catalogue, placed, detached, databaseName } = situation
  const pending = [...tableMap].filter(
    ([table, { kind }]) => kind !== 'local' && !placed.includes(table),
  )
  const toDetach = objectsToDetach(catalogue, new Set(pending.map(([table]) => table)))
  const toAttach = [...detached, ...toDetach]
  const ofKind = (wanted: DetachedObject['kind']) => toAttach.filter(({ kind }) => kind === wanted)
  return [
    ...(toDetach.length === 0 ? [] : [detachAll(toDetach)]),
    ...pending.map(([table, placement]) => place(table, placement)),
    ...ofKind('foreign key').map(attach),
    ...ofKind('trigger').map(attach),
    ...databaseSettings.map(([name, value]) => setOnAllServers(databaseName, name, value)),
  ]
}

function objectsToDetach(
  { foreignKeys, triggers }: Catalogue,
  pending: ReadonlySet<string>,
): DetachedObject[] {
  return [
    ...foreignKeys
      .filter(({ table, target }) => pending.has(table) || pending.has(target))
      .map(({ table, name, definition }) => ({
        kind: 'foreign key' as const,
        tableName: table,
        name,
        definition: `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`,
      })),
    ...triggers
      .filter(({ table }) => pending.has(table))
      .map(({ table, name, definition }) => ({
        kind: 'trigger' as const,
        tableName: table,
        name,
        definition,
      })),
  ]
}

function detachAll(objects: readonly DetachedObject[]): Step {
  return {
    says: `take ${objects.length} foreign keys and triggers off`,
    statements: objects.flatMap(({ kind, tableName, name, definition }) => [
      'insert into kernel.detached_objects (kind, table_name, name, definition) values ' +
        `(${[kind, tableName, name, definition].map(literal).join(', ')})`,
      kind === 'trigger'
        ? `drop trigger ${quoted(name)} on ${quoted(tableName)}`
        : `alter table ${quoted(tableName)} drop constraint ${quoted(name)}`,
    ]),
  }
}

// Citus copies the rows to their servers and keeps the old ones, unseen, until told otherwise.
function place(table: string, placement: Placement): Step {
  return {
    says: `${table}: ${'column' in placement ? `by ${placement.column}` : 'a copy on every server'}`,
    statements: [
      placeStatement(table, placement),
      `select truncate_local_data_after_distributing_table(${literal(table)})`,
    ],
  }
}

export function placeStatement(table: string, placement: Placement): string {
  if (!('column' in placement)) return `select create_reference_table(${literal(table)})`
  const { column, with: first } = placement
  const beside = literal(table === first ? 'none' : first)
  return (
    `select create_distributed_table(${literal(table)}, ${literal(column)}, ` +
    `colocate_with => ${beside})`
  )
}

function attach({ kind, tableName, name, definition }: DetachedObject): Step {
  return {
    says: `${tableName}: put the ${kind} ${name} back`,
    statements: [
      definition,
      'delete from kernel.detached_objects ' +
        `where kind = ${literal(kind)} and table_name = ${literal(tableName)} ` +
        `and name = ${literal(name)}`,
    ],
  }
}

// Citus passes such a change on to some servers by itself, not to those that come later, and
// refuses it on a worker. With its own way switched off, the change is made here and there alike.
function setOnAllServers(databaseName: string, name: string, value: string): Step {
  const change = `alter database ${quotedPart(databaseName)} set ${name} = ${literal(value)}`
  const setHere = 'set local citus.enable_ddl_propagation = off'
  const onWorker = `do $do$ begin ${setHere}; ${change}; end $do$`
  return {
    says: `set ${name} to ${value} on every server`,
    statements: [
      setHere,
      change,
      'select nodename, nodeport, result ' +
        `from run_command_on_workers(${literal(onWorker)}) ` +
        'where not success',
    ],
    returnsFailures: true,
  }
}

function quoted(name: string): string {
  return name.split('.').map(quotedPart).join('.')
}

function quotedPart(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
