import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listBusinessBalances } from './balance-store.ts'

export const listBalances = defineOperation({
  name: 'list-balances',
  summary: 'List the balances of a business: pending, available, reserved and in its wallet',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor) => listBusinessBalances(database.sql, actor),
})
