// Migrates the database to this version: applies the files of `migrations/` in order, each in its
// own transaction, under one lock, so that several processes can start at once. An applied file
// must never change; every start compares its checksum.
//
// A file that begins with `-- expand` only adds, so that processes of the version before it go on
// as they were, and can start again. Any other file waits until none of them runs.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../basics/clock.ts'
import type { Sql } from './database.ts'
import { insertProcess, listOlderProcesses, type ServiceProcess } from './process-store.ts'
import { splitStatements } from './split-statements.ts'
import type { SqlTag } from './statement.ts'

export type Migration = { number: number; name: string; text: string; checksum: string }

// Any constant that nothing else in the database uses. Its holder changes the schema.
export const migrationLock = 7_221_001

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

type Applied = { number: number; name: string; checksum: string; isExpand: boolean }

// Called for each table right after it was created, in the same transaction.
type OnTable = (connection: SqlTag, table: string) => Promise<void>

// A process that goes on to use the database is entered before the lock is released: no other can
// begin to migrate without knowing of it.
export async function migrate(
  sql: Sql,
  migrations: Migration[],
  clock: Clock,
  process?: ServiceProcess,
  onTable: OnTable = async () => undefined,
): Promise<string[]> {
  const connection = await sql.reserve()
  try {
    // A migration of a large table takes time, and so does waiting for another process.
    await connection`set statement_timeout = 0`
    await connection`set lock_timeout = 0`
    await connection`select pg_advisory_lock(${migrationLock})`
    await createOwnTables(connection)
    const applied = await connection<Applied[]>`
      select number, name, checksum, is_expand
      from kernel.migrations
      order by number`
    const pending = pendingMigrations(migrations, applied)
    await assertNoOlderProcess(connection, pending, clock)
    for (const migration of pending) {
      await connection`begin`
      try {
        // Only a distributed database knows it: one server after the other, as changes of tables
        // and rows in one transaction need it.
        await connection`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`
        for (const statement of splitStatements(migration.text)) {
          await connection.unsafe(statement)
          const table = createdTable(statement)
          if (table !== undefined) await onTable(connection, table)
        }
        await connection`
          insert into kernel.migrations (number, name, checksum, applied_at, is_expand)
          values (${migration.number}, ${migration.name}, ${migration.checksum}, ${clock.now()},
            ${isExpand(migration)})`
        await connection`commit`
      } catch (error) {
        await connection`rollback`
        throw new MigrationError(`migration ${migration.name} failed: ${String(error)}`, {
          cause: error,
        })
      }
    }
    if (process) await insertProcess(connection, process, migrations.length, clock.now())
    return pending.map((migration) => migration.name)
  } finally {
    await connection`select pg_advisory_unlock(${migrationLock})`
    // Back to the connection's default.
    await connection`reset statement_timeout`
    await connection`reset lock_timeout`
    connection.release()
  }
}

// They are there before the first migration.
async function createOwnTables(sql: SqlTag): Promise<void> {
  await sql`create schema if not exists kernel`
  await sql`
    create table if not exists kernel.migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null
    )`
  await sql`
    alter table kernel.migrations
      add column if not exists is_expand boolean not null default false`
  await sql`
    create table if not exists kernel.processes (
      id uuid primary key,
      role text not null,
      host text not null,
      migrations integer not null,
      started_at timestamptz not null,
      seen_at timestamptz not null
    )`
}

async function assertNoOlderProcess(
  sql: SqlTag,
  pending: Migration[],
  clock: Clock,
): Promise<void> {
  const contracting = pending.findLast((migration) => !isExpand(migration))
  if (!contracting) return
  const older = await listOlderProcesses(sql, contracting.number, clock.now())
  if (older.length === 0) return
  const names = older.map(({ role, host, id }) => `${role} on ${host} (${id})`)
  throw new MigrationError(
    `migration ${contracting.name} takes away what an older version uses, and that is still ` +
      `running: ${names.join(', ')}. Stop it, then start this version again. A process that was ` +
      'killed counts as running for a minute.',
  )
}

function isExpand({ text }: Migration): boolean {
  return /^-- expand\b/.test(text)
}

export function readMigrations(directory: string): Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file, index) => {
      const number = Number.parseInt(file, 10)
      if (number !== index + 1 || !/^\d{4}-[a-z0-9-]+\.sql$/.test(file)) {
        throw new MigrationError(
          `migration ${file} is out of sequence: expected number ${index + 1}`,
        )
      }
      const text = readFileSync(join(directory, file), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { number, name: file.replace(/\.sql$/, ''), text, checksum }
    })
}

function createdTable(statement: string): string | undefined {
  return /^(?:\s*--[^\n]*\n)*\s*create table (\w+\.\w+) \(/.exec(statement)?.[1]
}

function pendingMigrations(migrations: Migration[], applied: readonly Applied[]): Migration[] {
  for (const row of applied) {
    const migration = migrations[row.number - 1]
    if (!migration) {
      if (row.isExpand) continue
      throw new MigrationError(
        `the database was migrated by a newer version (it has ${row.name}); start that version`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `migration ${row.name} was changed after it was applied; restore the file as released`,
      )
    }
  }
  return migrations.slice(applied.length)
}
