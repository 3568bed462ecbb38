// A copy of the schema in which every table is split as it would be on a cluster: into parts, by
// its distribution column. The planner then says which parts a statement touches.
import { tableMap } from '../../src/app/distribution/table-map.ts'
import type { Sql } from '../../src/kernel/db/database.ts'

// Enough that businesses of a test are hardly ever all in one part.
const partCount = 8

const separator = '__part_'

// The part of a table, such as `7`, or nothing if the name is that of a whole table.
export function partOf(relation: string): { table: string; part: string } | undefined {
  const [table, part] = relation.split(separator)
  return table && part ? { table, part } : undefined
}

export async function splitTables(sql: Sql): Promise<void> {
  for (const [table, placement] of tableMap) {
    if (!('column' in placement)) continue
    const keys = await definitionsOf(sql, table)
    await sql.unsafe(`
      alter table ${table} rename to whole;
      create table ${table} (like ${schemaOf(table)}.whole including defaults)
        partition by hash (${placement.column});
      drop table ${schemaOf(table)}.whole cascade;
      ${keys.join(';\n')};
      ${parts(table)}`)
  }
}

// Conflicts are found by keys, and a key says what may be left out after `group by`.
async function definitionsOf(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select
      case
        when key.oid is null then pg_get_indexdef(index.indexrelid)
        else
          'alter table ' || ${table}::text || ' add constraint ' || key.conname || ' '
          || pg_get_constraintdef(key.oid)
      end as definition
    from pg_index as index
    left join pg_constraint as key
      on key.conindid = index.indexrelid
      and key.contype in ('p', 'u')
    where index.indrelid = ${table}::regclass`
  return rows.map(({ definition }) => definition)
}

function parts(table: string): string {
  return Array.from(
    { length: partCount },
    (_, part) =>
      `create table ${table}${separator}${part} partition of ${table} ` +
      `for values with (modulus ${partCount}, remainder ${part})`,
  ).join(';\n')
}

function schemaOf(table: string): string {
  return table.split('.')[0] ?? ''
}
