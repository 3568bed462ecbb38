import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type MaskedAccount, maskAccount, openAccount } from './settlement-account.ts'
import { findSettlementAccount } from './settlement-account-store.ts'

export const getSettlementAccount = defineOperation({
  name: 'get-settlement-account',
  summary: 'Read the bank account that payouts go to, masked',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  // Null where none is set.
  async run({ database, secrets }, { businessId }): Promise<MaskedAccount | null> {
    const stored = await findSettlementAccount(database.sql, businessId)
    return stored ? maskAccount(openAccount(secrets, businessId, stored)) : null
  },
})
