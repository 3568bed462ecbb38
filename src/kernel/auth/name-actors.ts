// The names of the people and keys in the audit log, where they are still known.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'
import { listApiKeys } from './api-key-store.ts'
import type { LoggedAct } from './logged-act-store.ts'
import { listMembers } from './membership-store.ts'

export type NamedAct = LoggedAct & { readonly actorName: string | null }

export async function nameActors<A extends LoggedAct>(
  sql: Sql,
  { businessId }: Tenant,
  acts: readonly A[],
): Promise<(A & NamedAct)[]> {
  const [keys, members] = await Promise.all([
    listApiKeys(sql, businessId),
    listMembers(sql, businessId),
  ])
  const nameOf = ({ actorKind, actorId }: LoggedAct): string | null => {
    if (actorKind === 'key') return keys.find(({ id }) => id === actorId)?.name ?? null
    if (actorKind === 'system') return null
    return members.find(({ personId }) => personId === actorId)?.name ?? null
  }
  return acts.map((act) => ({ ...act, actorName: nameOf(act) }))
}
