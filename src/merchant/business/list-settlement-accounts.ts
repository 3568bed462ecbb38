import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type MaskedAccount, maskAccount, openAccount } from './settlement-account.ts'
import { listSettlementAccounts as listStored } from './settlement-account-store.ts'

export const listSettlementAccounts = defineOperation({
  name: 'list-settlement-accounts',
  summary: 'List the settlement accounts, masked',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  // The one of all other currencies first.
  async run({ database, secrets }, actor): Promise<MaskedAccount[]> {
    const stored = await listStored(database.sql, actor)
    return stored.map((account) => maskAccount(openAccount(secrets, account), account))
  },
})

// The account that a payout in this currency goes to.
export function accountFor(
  accounts: readonly MaskedAccount[],
  currency: string,
): MaskedAccount | undefined {
  return (
    accounts.find((account) => account.currency === currency) ??
    accounts.find((account) => account.currency === null)
  )
}
