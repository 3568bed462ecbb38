import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { type MaskedAccount, maskAccount, openAccount } from './settlement-account.ts'
import { findSettlementAccount } from './settlement-account-store.ts'

export const getSettlementAccount = defineOperation({
  name: 'get-settlement-account',
  summary: 'Read the settlement account, masked',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  // Null if none is set.
  async run({ database, secrets }, { businessId }): Promise<MaskedAccount | null> {
    const stored = await findSettlementAccount(database.sql, businessId)
    return stored ? maskAccount(openAccount(secrets, businessId, stored)) : null
  },
})
