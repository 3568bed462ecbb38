// Links that sign a person of a demo business in. They are kept beside the sign-ins that wait for a
// code, so that the same schedule deletes those that were not used. Only hashes are stored.
import type { Sql } from '../db/database.ts'

export type NewSignInLink = {
  readonly id: string
  readonly identifier: string
  readonly personId: string
  readonly expiresAt: Date
  readonly createdAt: Date
}

export async function insertSignInLink(sql: Sql, link: NewSignInLink): Promise<void> {
  const { personId, ...row } = link
  await sql`
    insert into kernel.verifications
    ${sql({ ...row, value: personId, updatedAt: link.createdAt })}`
}

export async function findSignInLink(
  sql: Sql,
  identifier: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await sql<{ personId: string }[]>`
    select value as person_id
    from kernel.verifications
    where identifier = ${identifier}
      and expires_at > ${now}`
  return row?.personId
}

// Of two requests with one link, one gets the person.
export async function deleteSignInLink(
  sql: Sql,
  identifier: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await sql<{ personId: string }[]>`
    delete from kernel.verifications
    where identifier = ${identifier}
      and expires_at > ${now}
    returning value as person_id`
  return row?.personId
}

// Undefined without a demo business, or if its owner also belongs to a business that is no demo:
// a printed link must not open that one.
export async function findDemoOwner(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ personId: string }[]>`
    select memberships.person_id
    from kernel.memberships
    join kernel.businesses on businesses.id = memberships.business_id
    join kernel.people on people.id = memberships.person_id
    where businesses.is_demo
      and memberships.role = 'owner'
      and ${hasOnlyDemos(sql)}
    order by businesses.created_at, businesses.id, memberships.created_at
    limit 1`
  return row?.personId
}

export async function findIfOnlyInDemos(
  sql: Sql,
  personId: string,
): Promise<{ readonly email: string } | undefined> {
  const [row] = await sql<{ email: string }[]>`
    select people.email
    from kernel.people
    where people.id = ${personId}
      and ${hasOnlyDemos(sql)}`
  return row
}

function hasOnlyDemos(sql: Sql) {
  return sql`
    not exists (
      select 1
      from kernel.memberships as other
      join kernel.businesses as real on real.id = other.business_id
      where other.person_id = people.id
        and not real.is_demo
    )`
}
