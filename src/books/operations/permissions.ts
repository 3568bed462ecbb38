// Who may do what in the books. Keys only ever make drafts: a person looks at them and issues them.
// The system (a job, the CLI) was let in by whoever runs the service.
import type { Actor, Role } from '../../kernel/auth/actor.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'

// `draft`: what changes no books. `write`: what a member does every day. `administer`: settings,
// lock dates, the chart of accounts, and taking back what is in the books.
export type Need = 'draft' | 'write' | 'approve' | 'administer'

export const rolesFor: Readonly<Record<Need, readonly Role[]>> = {
  draft: ['owner', 'admin', 'approver', 'member'],
  write: ['owner', 'admin', 'approver', 'member'],
  approve: ['owner', 'admin', 'approver'],
  administer: ['owner', 'admin'],
}

export function requireRole(actor: Actor, need: Need): void {
  if (isAllowed(actor, need)) return
  if (actor.kind === 'key') {
    throw permissionDenied('A key makes drafts only. A person does this in the application.')
  }
  throw permissionDenied(`Only ${roleNames(rolesFor[need])} may do this. Ask one of them.`)
}

export function isAllowed(actor: Actor, need: Need): boolean {
  if (actor.kind === 'system') return true
  return actor.kind === 'key' ? need === 'draft' : rolesFor[need].includes(actor.role)
}

// `an owner, admin or approver`
function roleNames(roles: readonly Role[]): string {
  return `an ${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}`
}
