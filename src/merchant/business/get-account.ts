import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { defineHandledRoute } from '../context.ts'
import { findCounts } from '../verification/dossier-store.ts'
import { findNewestSubmitted } from '../verification/session-store.ts'
import { type Account, accountSchema, presentAccount, type Standing } from './business.ts'
import { findAccount } from './business-store.ts'

export const getAccount = defineHandledRoute({
  method: 'GET',
  path: '/account',
  operationId: 'getAccount',
  tag: 'Account',
  summary: 'Read the business profile and its verification status',
  scopes: ['account:read', 'kyc:read'],
  responses: { 200: { description: 'Profile and verification status.', schema: accountSchema } },
  async handle({ database }, { actor }) {
    const found = await findAccount(database.sql, actor.businessId)
    const account = assertDefined(found, 'a key without a profile')
    const standing = await findStanding(database.sql, actor, account)
    return ok(presentAccount(account, standing, actor.environment))
  },
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
