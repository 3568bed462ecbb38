// The events of an object in its timeline: which webhook endpoints they went to, and what came of
// it.
import type { Visit } from '../shell/visit.ts'
import type { Happening } from './timeline.tsx'

type Delivery = {
  readonly id: string
  readonly endpointId: string
  readonly url: string
  readonly attempts: number
  readonly lastStatusCode: number | null
  readonly succeeded: boolean
}

type Event = {
  readonly id: string
  readonly type: string
  readonly createdAt: Date
  readonly deliveries: readonly Delivery[]
}

export function eventHappenings(
  visit: Visit,
  service: 'merchant' | 'books',
  events: readonly Event[],
): Happening[] {
  return events.map(({ id, type, createdAt, deliveries }) => ({
    at: createdAt,
    title: (
      <>
        Event <code>{type}</code>
      </>
    ),
    detail:
      deliveries.length === 0 ? (
        'No webhook endpoint wanted it.'
      ) : (
        <>
          {deliveries.map((delivery) => (
            <span class="d-block" key={delivery.id}>
              <a href={visit.href(`/developers/webhooks/${service}/${delivery.endpointId}`)}>
                {hostOf(delivery.url)}
              </a>
              : {deliveryText(delivery)}
            </span>
          ))}
          <span class="visually-hidden">Event {id}</span>
        </>
      ),
  }))
}

function deliveryText({ succeeded, attempts, lastStatusCode }: Delivery): string {
  if (attempts === 0) return 'not sent yet'
  const tries = attempts === 1 ? 'one attempt' : `${attempts} attempts`
  if (succeeded) return `delivered (${lastStatusCode ?? ''}), ${tries}`
  return `failed (${lastStatusCode ?? 'no answer'}), ${tries}`
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
