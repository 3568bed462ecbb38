// The accounts that postings name by what they are for. Each organisation has exactly one system
// account of each of these subtypes from the day its books are opened, and cannot remove it, so
// that it is missing is a bug.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Account } from './account.ts'
import { findSystemAccountRow } from './account-store.ts'

export type SystemSubtype =
  | 'receivable'
  | 'payable'
  | 'expense_claims'
  | 'clearing'
  // Currency revaluation, which stands apart from the control accounts.
  | 'current_asset'
  | 'tax'
  | 'retained_earnings'
  | 'opening_balance'
  | 'payment_fees'
  | 'bad_debt'
  | 'fx_realised'
  | 'fx_unrealised'

export async function findSystemAccount(
  tx: Sql | Tx,
  tenant: Tenant,
  subtype: SystemSubtype,
): Promise<Account> {
  const account = await findSystemAccountRow(tx, tenant, subtype)
  return assertDefined(account, `books without a system account for ${subtype}`)
}
