// Which rows a list shows. People and keys see their own business in their environment. The
// operator sees both environments, of one business or of all.
import { type Actor, actsForAllBusinesses } from '../kernel/auth/actor.ts'
import type { Environment } from '../kernel/basics/tenant.ts'

// Null means any.
export type RowScope = {
  readonly businessId: string | null
  readonly environment: Environment | null
}

export function rowScope(actor: Actor): RowScope {
  const { businessId, environment } = actor
  if (actor.kind !== 'system') return { businessId, environment }
  return { businessId: actsForAllBusinesses(actor) ? null : businessId, environment: null }
}
