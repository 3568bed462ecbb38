import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findRecipient } from './recipient-store.ts'

// What a link or a code names must be a recipient of the same business and environment. Whether
// it is verified or disabled is asked with every charge, since both may change.
export async function requireRecipient(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string | null,
): Promise<void> {
  if (id === null || (await findRecipient(sql, tenant, id))) return
  throw invalidField('splitRecipientId', 'No such split recipient.')
}
