// The timeline of a payment: what people, keys and the system did, and what was sent.
import type { NamedAct } from '../../kernel/auth/name-actors.ts'
import type { PaymentStory } from '../../merchant/payments/get-payment-story.ts'
import { actorText, actTitle } from '../components/act-text.ts'
import type { Happening } from '../components/timeline.tsx'
import type { Visit } from '../shell/visit.ts'

export function paymentHappenings(visit: Visit, story: PaymentStory): Happening[] {
  const { steps, acts, events } = story
  return [
    ...steps.map(({ at, text }) => ({ at, title: text })),
    // The system's own acts are among the steps.
    ...acts.filter(({ actorKind }) => actorKind !== 'system').map(actHappening),
    ...events.map(({ id, type, createdAt, deliveries }) => ({
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
                <a href={visit.href(`/developers/webhooks/merchant/${delivery.endpointId}`)}>
                  {hostOf(delivery.url)}
                </a>
                : {deliveryText(delivery)}
              </span>
            ))}
            <span class="visually-hidden">Event {id}</span>
          </>
        ),
    })),
  ]
}

type Delivery = PaymentStory['events'][number]['deliveries'][number]

function deliveryText({ succeeded, attempts, lastStatusCode }: Delivery): string {
  if (attempts === 0) return 'not sent yet'
  const tries = attempts === 1 ? 'one attempt' : `${attempts} attempts`
  if (succeeded) return `delivered (${lastStatusCode ?? ''}), ${tries}`
  return `failed (${lastStatusCode ?? 'no answer'}), ${tries}`
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function actHappening(act: NamedAct): Happening {
  return { at: act.at, title: actTitle(act), detail: `By ${actorText(act)}` }
}
