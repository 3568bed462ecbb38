// Checks the default accounts and tax codes of an item or a contact.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { requireAccounts } from '../accounts/require-accounts.ts'
import { requireTaxCodes } from '../taxes/require-tax-codes.ts'

export type LineDefaults = {
  readonly salesAccountId?: string | null | undefined
  readonly purchaseAccountId?: string | null | undefined
  readonly salesTaxCodeId?: string | null | undefined
  readonly purchaseTaxCodeId?: string | null | undefined
}

export async function requireDefaults(
  sql: Sql | Tx,
  tenant: Tenant,
  { salesAccountId, purchaseAccountId, salesTaxCodeId, purchaseTaxCodeId }: LineDefaults,
): Promise<void> {
  await requireAccounts(sql, tenant, { salesAccountId, purchaseAccountId })
  await requireTaxCodes(sql, tenant, { salesTaxCodeId, purchaseTaxCodeId })
}
