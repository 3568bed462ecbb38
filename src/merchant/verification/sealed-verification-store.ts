// What is sealed under another version of the key than the one wanted: the first byte is its
// version. A row is replaced only if it still is as it was read.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'

type SealedToken = Tenant & { readonly id: string; readonly sealed: Buffer }
type SealedRow = { readonly businessId: string; readonly id: string; readonly sealed: Buffer }

export async function listOutdatedTokens(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedToken[]> {
  return sql<SealedToken[]>`
    select business_id, environment, id, token_sealed as sealed
    from merchant.verification_sessions
    where get_byte(token_sealed, 0) <> ${version}
    order by business_id, environment, id
    limit ${limit}`
}

export async function updateToken(
  sql: Sql,
  { businessId, environment, id, sealed }: SealedToken,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update merchant.verification_sessions
    set token_sealed = ${resealed}
    where business_id = ${businessId}
      and environment = ${environment}
      and id = ${id}
      and token_sealed = ${sealed}`
}

export async function listOutdatedBirthdays(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedRow[]> {
  return sql<SealedRow[]>`
    select business_id, id, born_on_sealed as sealed
    from merchant.beneficial_owners
    where get_byte(born_on_sealed, 0) <> ${version}
    order by business_id, id
    limit ${limit}`
}

export async function updateBirthday(
  sql: Sql,
  { businessId, id, sealed }: SealedRow,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update merchant.beneficial_owners
    set born_on_sealed = ${resealed}
    where business_id = ${businessId}
      and id = ${id}
      and born_on_sealed = ${sealed}`
}

// One at a time, whatever the limit: each may have megabytes.
export async function listOutdatedContents(sql: Sql, version: number): Promise<SealedRow[]> {
  return sql<SealedRow[]>`
    select business_id, document_id as id, content_sealed as sealed
    from merchant.verification_document_contents
    where get_byte(content_sealed, 0) <> ${version}
    limit 1`
}

// Contents never change, so the row needs no second look.
export async function updateContent(
  sql: Sql,
  { businessId, id }: SealedRow,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update merchant.verification_document_contents
    set content_sealed = ${resealed}
    where business_id = ${businessId}
      and document_id = ${id}`
}
