// The clearing account in each currency, and what is missing there because it waits.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { findSystemAccount } from '../accounts/account-store.ts'
import { defineOperation } from '../context.ts'
import { type HeldAmount, listClearing } from './clearing-store.ts'
import { readServiceMoney, type ServiceMoney } from './read-service-money.ts'

export type Clearing = ServiceMoney & {
  readonly accountId: string
  readonly accountCode: string
  readonly booked: readonly HeldAmount[]
}

export const getClearing = defineOperation({
  name: 'get-clearing',
  summary: 'Show the clearing account in each currency, and the movements that wait',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor): Promise<Clearing> {
    const [settings, account] = await Promise.all([
      readServiceMoney(sql, actor),
      findSystemAccount(sql, actor, 'clearing'),
    ])
    const booked = await listClearing(sql, actor, account.id)
    return { ...settings, accountId: account.id, accountCode: account.code, booked }
  },
})
