// Facts about the database server, checked before we use it.
import type { Sql } from './database.ts'

// Such as 150004 for 15.4. Unlike the text of `version()`, the number sorts.
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
