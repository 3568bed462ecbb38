import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { findCounts } from '../verification/dossier-store.ts'
import { findNewestSubmitted } from '../verification/session-store.ts'
import { type Account, accountSchema, presentAccount, type Standing } from './business.ts'
import { findAccount } from './business-store.ts'

export const getAccount = defineOperation({
  name: 'get-account',
  summary: 'Read the business profile and its verification status',
  kind: 'read',
  input: z.strictObject({}),
  scopes: ['account:read', 'kyc:read'],
  roles: everyRole,
  async run({ database }, actor): Promise<Account & Standing> {
    const account = await findAccount(database.sql, actor.businessId)
    if (!account) throw notFound('business')
    return { ...account, ...(await findStanding(database.sql, actor, account)) }
  },
})

export const getAccountRoute = defineRoute({
  operation: getAccount,
  method: 'GET',
  path: '/account',
  operationId: 'getAccount',
  tag: 'Account',
  responses: { 200: { description: 'Profile and verification status.', schema: accountSchema } },
  input: () => ({}),
  answer: (account, _context, { actor }) => ok(presentAccount(account, actor.environment)),
})

async function findStanding(sql: Sql, tenant: Tenant, account: Account): Promise<Standing> {
  const last = await findNewestSubmitted(sql, tenant)
  if (tenant.environment === 'test' && last) {
    const kycStatus = last.status === 'submitted' ? 'pending' : last.status
    const { rejectionReason } = last
    return { kycStatus, rejectionReason, ...(await findCounts(sql, tenant)) }
  }
  const isRejected = account.kycStatus === 'rejected' && tenant.environment === 'live'
  return { ...account, rejectionReason: isRejected ? (last?.rejectionReason ?? null) : null }
}
