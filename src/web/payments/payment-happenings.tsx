// The timeline of a payment: what people, keys and the system did, and what was sent.
import type { NamedAct } from '../../kernel/auth/name-actors.ts'
import type { PaymentStory } from '../../merchant/payments/get-payment-story.ts'
import { actorText, actTitle } from '../components/act-text.ts'
import { eventHappenings } from '../components/event-happenings.tsx'
import type { Happening } from '../components/timeline.tsx'
import type { Visit } from '../shell/visit.ts'

export function paymentHappenings(visit: Visit, story: PaymentStory): Happening[] {
  const { steps, acts, events } = story
  return [
    ...steps.map(({ at, text }) => ({ at, title: text })),
    // The system's own acts are among the steps.
    ...acts.filter(({ actorKind }) => actorKind !== 'system').map(actHappening),
    ...eventHappenings(visit, 'merchant', events),
  ]
}

function actHappening(act: NamedAct): Happening {
  return { at: act.at, title: actTitle(act), detail: `By ${actorText(act)}` }
}
