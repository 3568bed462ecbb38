// What a person is in a business. Roles and their order are in actor.ts.
import type { Role } from './actor.ts'

export type Membership = {
  readonly businessId: string
  readonly businessName: string
  readonly role: Role
}

const rolesWithSecondFactor: ReadonlySet<Role> = new Set(['owner', 'admin', 'approver'])

// Whoever can move money or let others move it proves more than a password. Until then such a
// membership gives no rights: the session is only good for setting the second factor up.
export function roleNeedsSecondFactor(role: Role): boolean {
  return rolesWithSecondFactor.has(role)
}
