// What is sealed under another version of the key than the one wanted, in any column that holds
// sealed bytes: the first of them is the version. Only which column it is differs.
import type { Sql } from '../db/database.ts'

export type SealedColumn = {
  // With its schema.
  readonly table: string
  readonly column: string
  // What names one row; where it has a tenant, that first.
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

// Only what still is as it was read: somebody may have put another secret there.
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
