import type { Sql, Tx } from '../db/database.ts'
import type { Role } from './actor.ts'

export type NewInvitation = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  readonly tokenHash: Buffer
  readonly expiresAt: Date
  readonly createdAt: Date
}

// Replaces an earlier one for the same address, whose link stops working.
export async function insertOrReplaceInvitation(
  tx: Tx,
  businessId: string,
  invitation: NewInvitation,
): Promise<void> {
  await tx`
    insert into kernel.invitations ${tx({ businessId, ...invitation })}
    on conflict (business_id, email) do update
    set id = excluded.id,
      role = excluded.role,
      invited_by = excluded.invited_by,
      token_hash = excluded.token_hash,
      expires_at = excluded.expires_at,
      created_at = excluded.created_at`
}

export type OpenInvitation = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  readonly inviterName: string
  readonly expiresAt: Date
}

export async function listInvitations(sql: Sql, businessId: string): Promise<OpenInvitation[]> {
  return sql<OpenInvitation[]>`
    select invitations.id, invitations.email, invitations.role, invitations.invited_by,
      people.name as inviter_name, invitations.expires_at
    from kernel.invitations
    join kernel.people on people.id = invitations.invited_by
    where invitations.business_id = ${businessId}
    order by invitations.created_at, invitations.id`
}

export async function findInvitation(
  sql: Sql | Tx,
  businessId: string,
  tokenHash: Buffer,
  now: Date,
): Promise<OpenInvitation | undefined> {
  const [row] = await sql<OpenInvitation[]>`
    select invitations.id, invitations.email, invitations.role, invitations.invited_by,
      people.name as inviter_name, invitations.expires_at
    from kernel.invitations
    join kernel.people on people.id = invitations.invited_by
    where invitations.business_id = ${businessId}
      and invitations.token_hash = ${tokenHash}
      and invitations.expires_at > ${now}`
  return row
}

// Using and withdrawing an invitation deletes it: of two requests, one gets the row.
export async function deleteInvitation(
  tx: Tx,
  businessId: string,
  id: string,
): Promise<{ email: string; role: Role } | undefined> {
  const [row] = await tx<{ email: string; role: Role }[]>`
    delete from kernel.invitations
    where business_id = ${businessId}
      and id = ${id}
    returning email, role`
  return row
}

// Those for an address, and those that its owner made.
export async function deleteInvitationsAround(
  tx: Tx,
  businessId: string,
  { personId, email }: { personId: string; email: string },
): Promise<void> {
  await tx`
    delete from kernel.invitations
    where business_id = ${businessId}
      and (email = ${email} or invited_by = ${personId})`
}
