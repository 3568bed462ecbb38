import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ImportedObject, ImportProblem } from './import.ts'
import type { ImportRecord } from './started-import.ts'

export type StoredImport = ImportRecord & {
  readonly contentSealed: Buffer
  readonly sha256: Buffer
}

export async function insertImport(tx: Tx, tenant: Tenant, stored: StoredImport): Promise<void> {
  const { businessId, environment } = tenant
  const problems = tx.json(stored.problems)
  await tx`insert into books.imports ${tx({ businessId, environment, ...stored, problems })}`
}

export async function findImport(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<ImportRecord | undefined> {
  const [row] = await sql<ImportRecord[]>`
    select ${columns(sql)}
    from books.imports
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Two workers never make the same rows: each batch locks the import first.
export async function lockImport(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<ImportRecord | undefined> {
  const [row] = await tx<ImportRecord[]>`
    select ${columns(tx)}
    from books.imports
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

export type ImportFile = {
  // Of files from before they were encrypted.
  readonly content: Buffer | null
  readonly contentSealed: Buffer | null
  readonly sha256: Buffer
}

export async function findImportFile(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<ImportFile> {
  const [row] = await sql<ImportFile[]>`
    select content, content_sealed, sha256
    from books.imports
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return assertDefined(row, 'an import vanished')
}

// Of all tenants; not of imports that are under way. Returns how many there were.
export async function updateFilesDeleted(sql: Sql, before: Date, limit: number): Promise<number> {
  const updated = await sql`
    update books.imports as import
    set content = null,
      content_sealed = null
    from (
      select business_id, environment, id
      from books.imports
      where created_at < ${before}
        and (content is not null or content_sealed is not null)
        and status not in ('checking', 'importing')
      order by created_at
      limit ${limit}
    ) as old
    where import.business_id = old.business_id
      and import.environment = old.environment
      and import.id = old.id`
  return updated.count
}

// The same file, imported before and not undone.
export async function findSameFile(
  sql: Sql | Tx,
  tenant: Tenant,
  name: string,
  sha256: Uint8Array,
): Promise<Pick<ImportRecord, 'id' | 'createdAt'> | undefined> {
  const [row] = await sql<Pick<ImportRecord, 'id' | 'createdAt'>[]>`
    select id, created_at
    from books.imports
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and name = ${name}
      and sha256 = ${sha256}
      and status in ('importing', 'imported', 'stopped', 'undoing')
    order by created_at desc
    limit 1`
  return row
}

// Newest first.
export async function listImports(
  sql: Sql | Tx,
  tenant: Tenant,
  limit: number,
): Promise<ImportRecord[]> {
  return sql<ImportRecord[]>`
    select ${columns(sql)}
    from books.imports
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by created_at desc, id desc
    limit ${limit}`
}

type ImportChanges = Partial<
  Pick<ImportRecord, 'status' | 'stepsDone' | 'finishedAt' | 'undoneAt' | 'personId' | 'personRole'>
> & { readonly problems?: readonly ImportProblem[] }

// Only while it has the status that the caller knows: a worker that was stalled must not overwrite
// what others did meanwhile. False if it has another one.
export async function updateImport(
  sql: Sql | Tx,
  tenant: Tenant,
  { id, status }: Pick<ImportRecord, 'id' | 'status'>,
  { problems, ...changes }: ImportChanges,
): Promise<boolean> {
  const row = { ...changes, ...(problems && { problems: sql.json(problems) }) }
  const updated = await sql`
    update books.imports
    set ${sql(row)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and status = ${status}`
  return updated.count === 1
}

export type StoredObject = ImportedObject & {
  readonly position: number
  readonly rowNumber: number
}

export async function insertImportObjects(
  tx: Tx,
  tenant: Tenant,
  importId: string,
  objects: readonly StoredObject[],
): Promise<void> {
  const { businessId, environment } = tenant
  if (objects.length === 0) return
  const rows = objects.map(({ id: objectId, ...object }) => ({
    businessId,
    environment,
    importId,
    objectId,
    ...object,
  }))
  await tx`insert into books.import_objects ${tx(rows)}`
}

// In the order in which they are undone: the last one first.
export async function listStandingObjects(
  sql: Sql | Tx,
  tenant: Tenant,
  importId: string,
  limit: number,
  // Those before this position.
  before: number | null = null,
): Promise<StoredObject[]> {
  return sql<StoredObject[]>`
    select kind, object_id as id, position, row_number
    from books.import_objects
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and import_id = ${importId}
      and undone_at is null
      and (${before}::integer is null or position < ${before})
    order by position desc
    limit ${limit}`
}

// The objects of an import, in the order of the file.
export async function listImportObjects(
  sql: Sql | Tx,
  tenant: Tenant,
  importId: string,
  limit: number,
): Promise<StoredObject[]> {
  return sql<StoredObject[]>`
    select kind, object_id as id, position, row_number
    from books.import_objects
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and import_id = ${importId}
    order by position
    limit ${limit}`
}

export async function updateObjectsUndone(
  tx: Tx,
  tenant: Tenant,
  importId: string,
  positions: readonly number[],
  undoneAt: Date,
): Promise<void> {
  await tx`
    update books.import_objects
    set undone_at = ${undoneAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and import_id = ${importId}
      and position = any (${[...positions]}::integer[])`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, name, file_name, date, is_posted, sends_webhooks, confirms_old_date, status, row_count,
    step_count, steps_done, problems, person_id, person_role, created_at, finished_at, undone_at`
}
