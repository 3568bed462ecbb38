// All event types of both services.
import { webhookProfiles } from '../../app/background-work.ts'
import type { WebhookProfile } from '../../kernel/webhooks/profile.ts'
import { merchantEventTypes } from '../../merchant/webhooks/event-contracts.ts'

export const knownEventTypes: readonly string[] = [
  ...webhookProfiles.flatMap(eventTypesOf),
  ...new Set(webhookProfiles.map(({ testEventType }) => testEventType)),
]

// Endpoints of the merchant service get every type, so its profile has no list.
export function eventTypesOf({ eventTypes }: WebhookProfile): readonly string[] {
  return eventTypes ?? merchantEventTypes
}
