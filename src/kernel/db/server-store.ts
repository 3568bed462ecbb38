// What we ask a server about itself before we trust it with data.
import type { Sql } from './database.ts'

// For example 150004n for 15.4: as a number it sorts, as the text of `version()` it does not.
export async function findServerVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    select current_setting('server_version_num')::integer as version`
  return row?.version ?? 0
}

export async function databaseExists(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql`
    select 1
    from pg_database
    where datname = ${name}`
  return rows.length > 0
}

export async function insertDatabase(sql: Sql, name: string): Promise<void> {
  await sql`create database ${sql(name)}`
}
