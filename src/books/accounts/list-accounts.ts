import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { accountSchema } from './account.ts'
import { listAccounts as listStoredAccounts } from './account-store.ts'

export const listAccounts = defineOperation({
  name: 'list-accounts',
  summary: 'List the chart of accounts',
  kind: 'read',
  input: z.strictObject({ code: line(20).optional() }),
  scopes: ['read'],
  roles: everyRole,
  run: ({ database }, actor, { code }) => listStoredAccounts(database.sql, actor, code),
})

export const listAccountsRoute = defineRoute({
  operation: listAccounts,
  method: 'GET',
  path: '/accounts',
  operationId: 'listAccounts',
  tag: 'Accounts',
  description: 'Ordered by code. Use the ids as `account_id` on lines.',
  responses: {
    200: { description: 'Every account.', schema: z.object({ data: z.array(accountSchema) }) },
  },
  input: () => ({}),
  answer: (accounts) => ok({ data: accounts }),
})
