// Who can call an operation: keys by scope, people by role, and the system (a job or a command of
// the operator) unless a person must decide.
import { type Actor, type KeyActor, type PersonActor, type Role, roles } from '../auth/actor.ts'
import { permissionDenied } from '../basics/fault.ts'
import type { Operation } from './operation.ts'

// The groups of roles that operations use.
export const everyRole: readonly Role[] = roles
export const writerRoles: readonly Role[] = ['owner', 'admin', 'approver', 'member']
export const approverRoles: readonly Role[] = ['owner', 'admin', 'approver']
export const adminRoles: readonly Role[] = ['owner', 'admin']
export const ownerRoles: readonly Role[] = ['owner']
// Only the operator of the server, with a command.
export const noRoles: readonly Role[] = []

type Guarded = Pick<Operation<never>, 'scopes' | 'roles' | 'peopleOnly'>

export function requirePermission(operation: Guarded, actor: Actor): void {
  if (actor.kind === 'person') requireRole(actor, operation.roles)
  else if (actor.kind === 'key') requireKeyPermission(operation, actor)
  else if (operation.peopleOnly) requirePerson(actor)
}

// Whether a page offers the operation, or a command lists it.
export function mayCall({ scopes, roles: allowed, peopleOnly }: Guarded, actor: Actor): boolean {
  if (actor.kind === 'key') return scopes.some((scope) => actor.scopes.has(scope))
  return actor.kind === 'person' ? allowed.includes(actor.role) : !peopleOnly
}

// The person who calls an operation that is for people only.
export function requirePerson(actor: Actor): PersonActor {
  if (actor.kind === 'person') return actor
  throw permissionDenied('Only a person can do this.')
}

// One of the scopes is enough.
export function requireScope(actor: KeyActor, scopes: readonly string[]): void {
  if (scopes.some((scope) => actor.scopes.has(scope))) return
  throw permissionDenied(`The key needs the scope ${scopes.join(' or ')}.`)
}

export function requireRole(
  actor: Actor & { readonly role: Role },
  allowed: readonly Role[],
): void {
  if (allowed.includes(actor.role)) return
  if (allowed.length === 0) throw permissionDenied('Only the operator of this server can do this.')
  throw permissionDenied(`Only ${roleNames(allowed)} can do this. Ask one of them.`)
}

function requireKeyPermission({ scopes }: Guarded, actor: KeyActor): void {
  if (scopes.length === 0) {
    throw permissionDenied('An API key cannot do this. A person must do it in the application.')
  }
  requireScope(actor, scopes)
}

// `an owner, admin or approver`
export function roleNames(allowed: readonly Role[]): string {
  const article = /^[aeiou]/.test(allowed[0] ?? '') ? 'an' : 'a'
  const [last, ...others] = allowed.toReversed()
  return `${article} ${others.length > 0 ? `${others.toReversed().join(', ')} or ` : ''}${last}`
}
