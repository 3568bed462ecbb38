import { brokenRule, notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { isRegisteredElsewhere, registeredElsewhereMessage } from './recipient.ts'
import { findRecipient } from './recipient-store.ts'

// A link or code must name a recipient of the same business and environment that the provider
// knows. Otherwise the share would silently stay with the merchant. Whether the recipient is
// disabled is checked at each charge, since that can change.
export async function requireRecipient(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string | null,
): Promise<void> {
  if (id === null) return
  const recipient = await findRecipient(sql, tenant, id)
  if (!recipient) throw notFound('split recipient')
  if (recipient.subaccountId !== null) return
  if (isRegisteredElsewhere(recipient)) throw brokenRule(registeredElsewhereMessage)
  throw brokenRule('The payment provider has not confirmed this split recipient yet.')
}
