import { openApiRoute } from '../kernel/http/openapi-route.ts'
import { defineService, type Service } from '../kernel/http/service.ts'
import { getAccount } from './business/get-account.ts'
import type { MerchantContext } from './context.ts'
import { getReference } from './reference/get-reference.ts'
import { merchantScopes } from './scopes.ts'

export const merchantService: Service<MerchantContext> = defineService({
  name: 'merchant',
  keyPrefix: 'svc',
  scopes: merchantScopes,
  title: 'Merchant payments',
  description:
    'Accept payments, route part of a charge to a split recipient, request payouts of settled ' +
    'funds, read settlements, read the business profile and verification status, and receive ' +
    'webhook events.',
  version: '1.0.0',
  basePath: '/merchant/api/v1',
  tags: [
    { name: 'Account', description: 'The business profile and its verification.' },
    { name: 'Reference', description: 'The words of the interface, and its description.' },
  ],
  routes: [getReference, openApiRoute(() => merchantService, 'Reference'), getAccount],
})
