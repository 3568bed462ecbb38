// Every type of event that the services send.
import { webhookProfiles } from '../background-work.ts'
import { merchantEventTypes } from '../merchant/reference/get-reference.ts'

export const knownEventTypes: readonly string[] = [
  ...merchantEventTypes,
  ...webhookProfiles.flatMap(({ eventTypes, testEventType }) => [
    ...(eventTypes ?? []),
    ...(testEventType === null ? [] : [testEventType]),
  ]),
]
