import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { balanceSchema, presentBalance } from './balance.ts'
import { listBusinessBalances } from './balance-store.ts'

export const listBalances = defineOperation({
  name: 'list-balances',
  summary: 'List the balances of a business: pending, available, reserved and wallet',
  kind: 'read',
  input: z.strictObject({}),
  scopes: ['payouts:read'],
  roles: everyRole,
  run: ({ database }, actor) => listBusinessBalances(database.sql, actor),
})

export const listBalancesRoute = defineRoute({
  operation: listBalances,
  method: 'GET',
  path: '/balances',
  operationId: 'listBalances',
  tag: 'Payouts',
  summary: 'List the balances of the business',
  description: 'One for each currency that it has or had money in.',
  responses: {
    200: { description: 'The balances.', schema: z.object({ data: z.array(balanceSchema) }) },
  },
  input: () => ({}),
  answer: (balances) => ok({ data: balances.map(presentBalance) }),
})
