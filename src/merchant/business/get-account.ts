import { assertDefined } from '../../kernel/basics/assert.ts'
import { ok } from '../../kernel/http/route.ts'
import { defineRoute } from '../context.ts'
import { accountSchema, presentAccount } from './business.ts'
import { findAccount } from './business-store.ts'

export const getAccount = defineRoute({
  method: 'GET',
  path: '/account',
  operationId: 'getAccount',
  tag: 'Account',
  summary: 'Read the business profile and its verification status',
  scopes: ['account:read', 'kyc:read'],
  responses: { 200: { description: 'Profile and verification status.', schema: accountSchema } },
  async handle({ database }, { actor }) {
    const account = await findAccount(database.sql, actor.businessId)
    return ok(presentAccount(assertDefined(account, 'a key without a profile'), actor.environment))
  },
})
