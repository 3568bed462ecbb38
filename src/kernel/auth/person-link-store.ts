// By person and so without a tenant: a person may work for several businesses.
import type { Sql, Tx } from '../db/database.ts'

export type PersonLinkKind = 'email_change' | 'password_reset'

export type PersonLink = {
  readonly personId: string
  readonly kind: PersonLinkKind
  readonly tokenHash: Buffer
  readonly newEmail: string | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

// Ends the earlier link of the same kind.
export async function insertOrReplaceLink(tx: Tx, link: PersonLink): Promise<void> {
  await tx`
    insert into kernel.person_links ${tx(link)}
    on conflict (person_id, kind) do update
    set token_hash = excluded.token_hash,
      new_email = excluded.new_email,
      expires_at = excluded.expires_at,
      created_at = excluded.created_at`
}

export async function findLink(
  sql: Sql | Tx,
  kind: PersonLinkKind,
  tokenHash: Buffer,
  now: Date,
): Promise<PersonLink | undefined> {
  const [row] = await sql<PersonLink[]>`
    select person_id, kind, token_hash, new_email, expires_at, created_at
    from kernel.person_links
    where token_hash = ${tokenHash}
      and kind = ${kind}
      and expires_at > ${now}`
  return row
}

export async function findLinkOfPerson(
  sql: Sql | Tx,
  kind: PersonLinkKind,
  personId: string,
  now: Date,
): Promise<PersonLink | undefined> {
  const [row] = await sql<PersonLink[]>`
    select person_id, kind, token_hash, new_email, expires_at, created_at
    from kernel.person_links
    where person_id = ${personId}
      and kind = ${kind}
      and expires_at > ${now}`
  return row
}

// A link is used by deleting it: of two requests, one gets the row.
export async function deleteLink(
  tx: Tx,
  kind: PersonLinkKind,
  tokenHash: Buffer,
  now: Date,
): Promise<PersonLink | undefined> {
  const [row] = await tx<PersonLink[]>`
    delete from kernel.person_links
    where token_hash = ${tokenHash}
      and kind = ${kind}
      and expires_at > ${now}
    returning person_id, kind, token_hash, new_email, expires_at, created_at`
  return row
}

export async function deleteLinksOfPerson(
  tx: Tx,
  personId: string,
  kind?: PersonLinkKind,
): Promise<void> {
  await tx`
    delete from kernel.person_links
    where person_id = ${personId}
      ${kind === undefined ? tx`` : tx`and kind = ${kind}`}`
}

export async function deleteEndedLinks(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from kernel.person_links
    where expires_at <= ${now}`
}
