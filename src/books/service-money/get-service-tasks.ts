// What people have to do about money of the merchant service. Home shows it, so it must be quick.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { findAccount } from '../accounts/account-store.ts'
import { defineOperation } from '../context.ts'
import { readServiceMoney } from './read-service-money.ts'
import { findUnassignedCount } from './service-payment-store.ts'

// Higher numbers are not told apart: "100 or more".
export const unassignedCountMax = 100

export type ServiceTasks = {
  // Movements that could not be posted.
  readonly waitingCount: number
  readonly unassignedCount: number
  // Payments without an invoice are posted as income, so no one has to assign them.
  readonly sellsWithoutInvoices: boolean
}

export const getServiceTasks = defineOperation({
  name: 'get-service-tasks',
  summary: 'Count movements of the merchant service that wait, and payments to assign',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor): Promise<ServiceTasks> {
    const { waiting, unassignedAccountId } = await readServiceMoney(sql, actor)
    // Without a reason it is about to be posted.
    const stuck = waiting.filter(({ reason }) => reason !== null)
    const waitingCount = stuck.reduce((sum, { count }) => sum + count, 0)
    const account = unassignedAccountId
      ? await findAccount(sql, actor, unassignedAccountId)
      : undefined
    const sellsWithoutInvoices = account?.type === 'income'
    const unassignedCount = sellsWithoutInvoices
      ? 0
      : await findUnassignedCount(sql, actor, unassignedCountMax)
    return { waitingCount, unassignedCount, sellsWithoutInvoices }
  },
})
