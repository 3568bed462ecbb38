// Migrates the database to this version: applies the files of `migrations/` in order, each in its
// own transaction, under one lock, so that several processes can start at once. An applied file
// must never change; every start compares its checksum.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../basics/clock.ts'
import type { Sql } from './database.ts'

export type Migration = { number: number; name: string; text: string; checksum: string }

// Any constant that nothing else in the database uses. Its holder changes the schema.
export const migrationLock = 7_221_001

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

export async function migrate(sql: Sql, migrations: Migration[], clock: Clock): Promise<string[]> {
  const connection = await sql.reserve()
  try {
    // A migration of a large table takes time, and so does waiting for another process.
    await connection`set statement_timeout = 0`
    await connection`set lock_timeout = 0`
    await connection`select pg_advisory_lock(${migrationLock})`
    await connection`create schema if not exists kernel`
    await connection`
      create table if not exists kernel.migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null
      )`
    const applied = await connection<{ number: number; name: string; checksum: string }[]>`
      select number, name, checksum
      from kernel.migrations
      order by number`
    const pending = pendingMigrations(migrations, applied)
    for (const migration of pending) {
      await connection`begin`
      try {
        await connection.unsafe(migration.text)
        await connection`
          insert into kernel.migrations (number, name, checksum, applied_at)
          values (${migration.number}, ${migration.name}, ${migration.checksum}, ${clock.now()})`
        await connection`commit`
      } catch (error) {
        await connection`rollback`
        throw new MigrationError(`migration ${migration.name} failed: ${String(error)}`, {
          cause: error,
        })
      }
    }
    return pending.map((migration) => migration.name)
  } finally {
    await connection`select pg_advisory_unlock(${migrationLock})`
    // Back to the connection's default.
    await connection`reset statement_timeout`
    await connection`reset lock_timeout`
    connection.release()
  }
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

function pendingMigrations(
  migrations: Migration[],
  applied: readonly { number: number; name: string; checksum: string }[],
): Migration[] {
  for (const row of applied) {
    const migration = migrations[row.number - 1]
    if (!migration) {
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
