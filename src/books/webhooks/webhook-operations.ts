import { endpointOperations } from '../../kernel/endpoints/endpoint-operations.ts'
import { booksWebhooks } from './webhook-profile.ts'

// The accounting interface has no routes for endpoints: people manage them in the application.
export const booksEndpoints = endpointOperations(booksWebhooks, {
  list: [],
  manage: [],
  readLog: [],
  retry: [],
})
