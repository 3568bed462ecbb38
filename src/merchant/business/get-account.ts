import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Environment } from '../../kernel/basics/tenant.ts'
import { ok } from '../../kernel/http/route.ts'
import { defineRoute } from '../context.ts'
import { type Account, accountSchema } from './business.ts'
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
    return ok(present(assertDefined(account, 'a key without a profile'), actor.environment))
  },
})

function present(account: Account, environment: Environment) {
  return {
    id: account.id,
    name: account.name,
    country: account.country,
    contact_email: account.contactEmail,
    contact_phone: account.contactPhone,
    kyc_status: account.kycStatus,
    documents_submitted: account.documentsSubmitted,
    beneficial_owners_verified: account.beneficialOwnersVerified,
    settlement_destination_on_file: account.settlementDestinationOnFile,
    environment,
    created_at: account.createdAt,
  }
}
