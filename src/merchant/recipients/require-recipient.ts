import { brokenRule, notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findRecipient } from './recipient-store.ts'

// What a link or a code names must be a recipient of the same business and environment whom the
// provider knows: what is split with anybody else would silently stay with the merchant. Whether
// they are disabled is asked with every charge, since that may change.
export async function requireRecipient(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string | null,
): Promise<void> {
  if (id === null) return
  const recipient = await findRecipient(sql, tenant, id)
  if (!recipient) throw notFound('split recipient')
  if (recipient.subaccountId !== null) return
  throw brokenRule('The payment provider has not confirmed this split recipient yet.')
}
