// For work that goes on in a person's name after their request: with the permission that they have
// now, not with the one that they had when they started it.
import { permissionDenied } from '../basics/fault.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { PersonActor } from './actor.ts'
import { roleNeedsSecondFactor } from './membership.ts'
import { findMember } from './membership-store.ts'

export async function requireMember(
  sql: Sql | Tx,
  { businessId, environment }: Tenant,
  personId: string,
): Promise<PersonActor> {
  const member = await findMember(sql, businessId, personId)
  if (!member) throw permissionDenied('The person who started it has left the business.')
  if (roleNeedsSecondFactor(member.role) && !member.hasSecondFactor) {
    throw permissionDenied('The person who started it has no second factor now.')
  }
  return { kind: 'person', personId, role: member.role, businessId, environment }
}
