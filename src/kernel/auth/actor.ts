// Whoever calls: an API key, a person in the application, or the system itself (a job, the CLI).
// Every actor acts inside one tenant, and every act in the audit log names its actor.
import type { Tenant } from '../basics/tenant.ts'

export type KeyActor = Tenant & {
  readonly kind: 'key'
  readonly keyId: string
  // The person who made the key: four eyes look at people, not at keys.
  readonly createdBy: string
  readonly scopes: ReadonlySet<string>
}

export type PersonActor = Tenant & {
  readonly kind: 'person'
  readonly personId: string
  readonly role: Role
}

export type SystemActor = Tenant & {
  readonly kind: 'system'
  // The job or command that acts, for example `cli keys revoke`.
  readonly name: string
}

export type Actor = KeyActor | PersonActor | SystemActor

export const roles = ['owner', 'admin', 'approver', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export function actorId(actor: Actor): string {
  if (actor.kind === 'key') return actor.keyId
  if (actor.kind === 'person') return actor.personId
  return actor.name
}
