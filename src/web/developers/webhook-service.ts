// The webhook endpoints of one service, as their pages need them.
import type { EndpointOperations } from '../../kernel/endpoints/endpoint-operations.ts'
import type { Endpoint } from '../../kernel/webhooks/endpoint.ts'
import type { WebhookProfile } from '../../kernel/webhooks/profile.ts'

export type WebhookService = {
  readonly profile: WebhookProfile
  readonly operations: EndpointOperations
}

export function webhooksPath({ profile }: WebhookService): string {
  return `/developers/webhooks/${profile.service}`
}

export function endpointStatus(state: Endpoint['state']): string {
  return { on: 'active', off: 'disabled', deleted: 'inactive' }[state]
}
