// Who may do what in the books. Keys only ever make drafts: a person looks at them and issues them.
// The system (a job, the CLI) was let in by whoever runs the service.
import type { Actor, Role } from '../kernel/auth/actor.ts'
import { permissionDenied } from '../kernel/basics/fault.ts'

// `draft`: what changes no books. `write`: what a member does every day. `administer`: settings,
// lock dates, the chart of accounts, and taking back what is in the books.
export type Need = 'draft' | 'write' | 'approve' | 'administer'

const rolesFor: Readonly<Record<Need, readonly Role[]>> = {
  draft: ['owner', 'admin', 'approver', 'member'],
  write: ['owner', 'admin', 'approver', 'member'],
  approve: ['owner', 'admin', 'approver'],
  administer: ['owner', 'admin'],
}

export function requireRole(actor: Actor, need: Need): void {
  if (actor.kind === 'system') return
  if (actor.kind === 'key') {
    if (need === 'draft') return
    throw permissionDenied('A key makes drafts only. A person does this in the application.')
  }
  const roles = rolesFor[need]
  if (roles.includes(actor.role)) return
  throw permissionDenied(`Only ${roleNames(roles)} may do this. Ask one of them.`)
}

// `an owner, admin or approver`
function roleNames(roles: readonly Role[]): string {
  return `an ${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}`
}
