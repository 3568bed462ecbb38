import type { Sql, Tx } from '../db/database.ts'
import type { Role } from './actor.ts'
import type { Membership } from './membership.ts'

export type NewMembership = {
  businessId: string
  personId: string
  role: Role
  createdAt: Date
}

export async function insertMembership(tx: Tx, membership: NewMembership): Promise<void> {
  await tx`insert into kernel.memberships ${tx(membership)}`
}

export async function updateMembershipRole(
  tx: Tx,
  businessId: string,
  personId: string,
  role: Role,
): Promise<void> {
  await tx`
    update kernel.memberships
    set role = ${role}
    where business_id = ${businessId}
      and person_id = ${personId}`
}

export async function updateApprovalHeld(
  tx: Tx,
  businessId: string,
  personId: string,
  heldAt: Date,
): Promise<void> {
  await tx`
    update kernel.memberships
    set approval_held_at = ${heldAt}
    where business_id = ${businessId}
      and person_id = ${personId}`
}

export async function findApprovalHeldAt(
  sql: Sql | Tx,
  businessId: string,
  personId: string,
): Promise<Date | null> {
  const [row] = await sql<{ approvalHeldAt: Date | null }[]>`
    select approval_held_at
    from kernel.memberships
    where business_id = ${businessId}
      and person_id = ${personId}`
  return row?.approvalHeldAt ?? null
}

export async function deleteMembership(
  tx: Tx,
  businessId: string,
  personId: string,
): Promise<void> {
  await tx`
    delete from kernel.memberships
    where business_id = ${businessId}
      and person_id = ${personId}`
}

export async function findMemberByEmail(
  sql: Sql | Tx,
  businessId: string,
  email: string,
): Promise<string | undefined> {
  const [row] = await sql<{ personId: string }[]>`
    select memberships.person_id
    from kernel.memberships
    join kernel.people on people.id = memberships.person_id
    where memberships.business_id = ${businessId}
      and people.email = ${email}`
  return row?.personId
}

export type Member = {
  readonly personId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly hasSecondFactor: boolean
}

export async function listMembers(sql: Sql | Tx, businessId: string): Promise<Member[]> {
  return sql<Member[]>`
    select ${memberColumns(sql)}
    from kernel.memberships
    join kernel.people on people.id = memberships.person_id
    where memberships.business_id = ${businessId}
    order by people.email`
}

export async function findMember(
  sql: Sql | Tx,
  businessId: string,
  personId: string,
): Promise<Member | undefined> {
  const [row] = await sql<Member[]>`
    select ${memberColumns(sql)}
    from kernel.memberships
    join kernel.people on people.id = memberships.person_id
    where memberships.business_id = ${businessId}
      and memberships.person_id = ${personId}`
  return row
}

export async function listOwners(
  sql: Sql | Tx,
  businessId: string,
): Promise<{ personId: string; email: string }[]> {
  return sql<{ personId: string; email: string }[]>`
    select memberships.person_id, people.email
    from kernel.memberships
    join kernel.people on people.id = memberships.person_id
    where memberships.business_id = ${businessId}
      and memberships.role = 'owner'
    order by people.email`
}

// By person and so across tenants: the businesses in which a person can work.
export async function listMembershipsOfPerson(
  sql: Sql | Tx,
  personId: string,
): Promise<Membership[]> {
  return sql<Membership[]>`
    select memberships.business_id, businesses.name as business_name, memberships.role
    from kernel.memberships
    join kernel.businesses on businesses.id = memberships.business_id
    where memberships.person_id = ${personId}
    order by businesses.name, memberships.business_id`
}

function memberColumns(sql: Sql | Tx) {
  return sql`
    memberships.person_id, people.email, people.name, memberships.role,
    people.two_factor_enabled as has_second_factor`
}
