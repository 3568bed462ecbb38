import { endpointOperations } from '../../kernel/endpoints/endpoint-operations.ts'
import { merchantWebhooks } from './webhook-profile.ts'

export const merchantEndpoints = endpointOperations(merchantWebhooks, {
  list: ['webhooks:read_logs', 'webhooks:manage'],
  manage: ['webhooks:manage'],
  readLog: ['webhooks:read_logs'],
  retry: ['webhooks:retry'],
})
