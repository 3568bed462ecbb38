import { createHash } from 'node:crypto'

// Like every id, it starts with the time: that of its event, with version and counter. The rest is
// computed from event and endpoint, so that a delivery made later, by a replay, has the same id.
export function deliveryId(eventId: string, endpointId: string): string {
  const hash = createHash('sha256').update(`${eventId} ${endpointId}`).digest('hex')
  return `${eventId.slice(0, 18)}-a${hash.slice(0, 3)}-${hash.slice(3, 15)}`
}
