// In whose name an import works: of the person who asked for it, while they may still do so. Asked
// before each batch, because a person may leave or lose the role meanwhile.
import type { PersonActor, SystemActor } from '../../kernel/auth/actor.ts'
import { requireMember } from '../../kernel/auth/require-member.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import type { ImportRecord } from './started-import.ts'

export async function requireImporter(
  sql: Sql | Tx,
  { businessId, environment }: Tenant,
  { personId }: Pick<ImportRecord, 'personId'>,
): Promise<PersonActor | SystemActor> {
  const tenant = { businessId, environment }
  if (personId === null) return { ...tenant, kind: 'system', name: 'books import' }
  const person = await requireMember(sql, tenant, personId)
  if (!adminRoles.includes(person.role)) {
    throw permissionDenied('The person who started it is no longer an owner or admin.')
  }
  return person
}
