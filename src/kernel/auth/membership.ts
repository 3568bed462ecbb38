// A person's role in a business. Roles and their order are in actor.ts.
import { type Role, roles } from './actor.ts'

export type Membership = {
  readonly businessId: string
  readonly businessName: string
  readonly role: Role
}

const rolesWithSecondFactor: ReadonlySet<Role> = new Set(['owner', 'admin', 'approver'])

// People who can move money, or let others move it, need a second factor. Until they have one, such
// a membership gives no rights: the session can only set the second factor up.
export function roleNeedsSecondFactor(role: Role): boolean {
  return rolesWithSecondFactor.has(role)
}

// The roles that need a second factor are those that can approve. True if this change gives such a
// role to a person with a lower one or none.
export function grantsApproval(role: Role, before: Role | null): boolean {
  const rank = (one: Role | null) => (one === null ? roles.length : roles.indexOf(one))
  return rolesWithSecondFactor.has(role) && rank(role) < rank(before)
}
