// The caller: an API key, a person in the application, or the system itself (a job, the CLI). Every
// actor acts in one tenant, and every row of the audit log names its actor.
import type { Tenant } from '../basics/tenant.ts'

export type KeyActor = Tenant & {
  readonly kind: 'key'
  readonly keyId: string
  // The person who created the key: four eyes are about people, not keys.
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
  // The job or command, such as `cli keys revoke`.
  readonly name: string
}

// For actions of the operator that concern no business, or all of them. No business has this id, so
// an operation that looks into one finds nothing.
const noBusinessId = '00000000-0000-0000-0000-000000000000'

export function operatorActor(name: string): SystemActor {
  return { kind: 'system', name, businessId: noBusinessId, environment: 'live' }
}

export function actsForAllBusinesses({ businessId }: Tenant): boolean {
  return businessId === noBusinessId
}

export type Actor = KeyActor | PersonActor | SystemActor

// People and their roles belong to the business as a whole. What is done to them is in its live
// audit log, whichever environment the actor works in.
export function inLive<A extends Actor>(actor: A): A {
  return { ...actor, environment: 'live' }
}

export const roles = ['owner', 'admin', 'approver', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export function actorId(actor: Actor): string {
  if (actor.kind === 'key') return actor.keyId
  if (actor.kind === 'person') return actor.personId
  return actor.name
}
