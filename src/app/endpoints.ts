// The webhook endpoints of both services: their profiles and operations.
import { booksEndpoints } from '../books/webhooks/webhook-operations.ts'
import { booksWebhooks } from '../books/webhooks/webhook-profile.ts'
import type { EndpointOperations } from '../kernel/endpoints/endpoint-operations.ts'
import type { WebhookProfile } from '../kernel/webhooks/profile.ts'
import { merchantEndpoints } from '../merchant/webhooks/webhook-operations.ts'
import { merchantWebhooks } from '../merchant/webhooks/webhook-profile.ts'

export type EndpointService = {
  readonly profile: WebhookProfile
  readonly operations: EndpointOperations
}

export const endpointServices: readonly EndpointService[] = [
  { profile: merchantWebhooks, operations: merchantEndpoints },
  { profile: booksWebhooks, operations: booksEndpoints },
]
