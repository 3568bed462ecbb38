// The tables, keys and triggers of the database. Citus hides the parts of a distributed table, so
// the answers are the same before and after.
import type { SqlTag } from '../../kernel/db/statement.ts'

export type Column = { readonly table: string; readonly name: string; readonly isRequired: boolean }

export type UniqueKey = {
  readonly table: string
  readonly name: string
  readonly columns: readonly string[]
  readonly isPrimary: boolean
}

export type ForeignKey = {
  readonly table: string
  readonly name: string
  readonly columns: readonly string[]
  readonly target: string
  readonly targetColumns: readonly string[]
  // As in the catalogue: `n` and `d` set the columns to null or to their default.
  readonly onDelete: string
  readonly onUpdate: string
  // What follows `add constraint <name>`.
  readonly definition: string
}

export type Trigger = {
  readonly table: string
  readonly name: string
  readonly isEnabled: boolean
  // The whole statement.
  readonly definition: string
}

export async function listColumns(sql: SqlTag): Promise<readonly Column[]> {
  return await sql<Column[]>`
    select
      schema.nspname || '.' || relation.relname as table,
      part.attname::text as name,
      part.attnotnull as is_required
    from pg_class as relation
    join pg_namespace as schema on schema.oid = relation.relnamespace
    join pg_attribute as part on part.attrelid = relation.oid
    where relation.relkind in ('r', 'p')
      and schema.nspname in ('kernel', 'merchant', 'books', 'simulator')
      and part.attnum > 0
      and not part.attisdropped
    order by 1, part.attnum`
}

export async function listUniqueKeys(sql: SqlTag): Promise<readonly UniqueKey[]> {
  return await sql<UniqueKey[]>`
    select
      schema.nspname || '.' || relation.relname as table,
      named.relname::text as name,
      key.indisprimary as is_primary,
      array(
        select part.attname::text
        from pg_attribute as part
        where part.attrelid = relation.oid
          and part.attnum = any (key.indkey)
        order by part.attnum
      ) as columns
    from pg_index as key
    join pg_class as named on named.oid = key.indexrelid
    join pg_class as relation on relation.oid = key.indrelid
    join pg_namespace as schema on schema.oid = relation.relnamespace
    where schema.nspname in ('kernel', 'merchant', 'books', 'simulator')
      and (key.indisunique or key.indisexclusion)
    order by 1, 2`
}

export async function listForeignKeys(sql: SqlTag): Promise<readonly ForeignKey[]> {
  return await sql<ForeignKey[]>`
    select
      schema.nspname || '.' || relation.relname as table,
      key.conname::text as name,
      target_schema.nspname || '.' || target.relname as target,
      key.confdeltype::text as on_delete,
      key.confupdtype::text as on_update,
      pg_get_constraintdef(key.oid) as definition,
      array(
        select part.attname::text
        from unnest(key.conkey) with ordinality as number (value, position)
        join pg_attribute as part
          on part.attrelid = key.conrelid
          and part.attnum = number.value
        order by number.position
      ) as columns,
      array(
        select part.attname::text
        from unnest(key.confkey) with ordinality as number (value, position)
        join pg_attribute as part
          on part.attrelid = key.confrelid
          and part.attnum = number.value
        order by number.position
      ) as target_columns
    from pg_constraint as key
    join pg_class as relation on relation.oid = key.conrelid
    join pg_namespace as schema on schema.oid = relation.relnamespace
    join pg_class as target on target.oid = key.confrelid
    join pg_namespace as target_schema on target_schema.oid = target.relnamespace
    where key.contype = 'f'
      and schema.nspname in ('kernel', 'merchant', 'books', 'simulator')
    order by 1, 2`
}

export async function listTriggers(sql: SqlTag): Promise<readonly Trigger[]> {
  return await sql<Trigger[]>`
    select
      schema.nspname || '.' || relation.relname as table,
      named.tgname::text as name,
      named.tgenabled <> 'D' as is_enabled,
      pg_get_triggerdef(named.oid) as definition
    from pg_trigger as named
    join pg_class as relation on relation.oid = named.tgrelid
    join pg_namespace as schema on schema.oid = relation.relnamespace
    where not named.tgisinternal
      and schema.nspname in ('kernel', 'merchant', 'books', 'simulator')
    order by 1, 2`
}
