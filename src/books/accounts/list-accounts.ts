import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { defineHandledRoute } from '../context.ts'
import { accountSchema } from './account.ts'
import { listAccounts as listStoredAccounts } from './account-store.ts'

export const listAccounts = defineHandledRoute({
  method: 'GET',
  path: '/accounts',
  operationId: 'listAccounts',
  tag: 'Accounts',
  summary: 'List the chart of accounts',
  description: 'Ordered by code. The ids are used as `account_id` on lines.',
  scopes: ['read'],
  responses: {
    200: { description: 'Every account.', schema: z.object({ data: z.array(accountSchema) }) },
  },
  handle: async ({ database }, { actor }) =>
    ok({ data: await listStoredAccounts(database.sql, actor) }),
})
