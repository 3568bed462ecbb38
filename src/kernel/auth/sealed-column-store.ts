// Finds values that are encrypted with another version of the key, in any column of encrypted
// bytes: the first byte is the version.
import type { Sql } from '../db/database.ts'

export type SealedColumn = {
  // With its schema.
  readonly table: string
  readonly column: string
  // The key columns of a row, the tenant first if it has one.
  readonly keys: readonly string[]
}

export type SealedRow = {
  readonly key: Readonly<Record<string, string>>
  readonly sealed: Buffer
}

export async function listOutdatedSealed(
  sql: Sql,
  { table, column, keys }: SealedColumn,
  version: number,
  limit: number,
): Promise<SealedRow[]> {
  const rows = await sql<(Record<string, string> & { sealed: Buffer })[]>`
    select ${sql(column)} as sealed, ${sql(keys)}
    from ${sql(table)}
    where get_byte(${sql(column)}, 0) <> ${version}
    limit ${limit}`
  return rows.map(({ sealed, ...key }) => ({ key, sealed }))
}

// Only if the value is still as it was read: it may have been replaced.
export async function updateSealed(
  sql: Sql,
  { table, column, keys }: SealedColumn,
  { key, sealed }: SealedRow,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update ${sql(table)}
    set ${sql(column)} = ${resealed}
    where ${sql(column)} = ${sealed}
      ${keys.map((name) => sql`and ${sql(name)} = ${key[name] ?? null}`)}`
}
