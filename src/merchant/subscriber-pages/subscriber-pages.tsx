// The pages of a subscriber: what is charged next, the payments so far, another card, and the end.
// The address is the permission. It shows one subscription and acts on that one only.
import { z } from 'zod'
import { Fault } from '../../kernel/basics/fault.ts'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import {
  forPayer,
  type PayerContext,
  type PayerFacts,
  unknownAnswer,
} from '../checkout/checkout-answers.tsx'
import { checkoutAnswer } from '../checkout/checkout-document.tsx'
import type { MerchantContext } from '../context.ts'
import { endSubscription } from '../subscriptions/cancel-subscription.ts'
import { CancelStep } from './cancel-step.tsx'
import { pressChangeCard, showCardResult, showChangeCard } from './change-card.tsx'
import { mayCancel, readHistory, readSubscriber, type Subscriber } from './read-subscriber.ts'
import { SubscriberView } from './subscriber-view.tsx'

type Show = (
  context: PayerContext,
  subscriber: Subscriber,
  request: PageRequest,
) => Promise<PageAnswer>

export function subscriberPages(merchant: MerchantContext, facts: PayerFacts): Page[] {
  const handle =
    (show: Show): Page['handle'] =>
    async (request) => {
      const context = forPayer({ ...merchant, ...facts }, request)
      const hosted = parseHostedReference(request.params.reference ?? '')
      const subscriber = hosted && (await readSubscriber(context, hosted))
      return subscriber ? show(context, subscriber, request) : unknownAnswer(context)
    }
  const path = '/s/:reference'
  return [
    { method: 'GET', path, hosted: 'plain', handle: handle(showSubscriber) },
    { method: 'GET', path: `${path}/card`, hosted: 'plain', handle: handle(showChangeCard) },
    { method: 'POST', path: `${path}/card`, hosted: 'costly', handle: handle(pressChangeCard) },
    {
      method: 'GET',
      path: `${path}/card/:payment`,
      hosted: 'plain',
      handle: handle(showCardResult),
    },
    { method: 'GET', path: `${path}/cancel`, hosted: 'plain', handle: handle(showCancel) },
    { method: 'POST', path: `${path}/cancel`, hosted: 'costly', handle: handle(pressCancel) },
  ]
}

const showSubscriber: Show = async (context, subscriber, { url }) => {
  const after = z.uuid().safeParse(url.searchParams.get('after')).data
  const history = await readHistory(context, subscriber, after)
  const timeZone = await context.timeZoneOf(subscriber.offer.tenant)
  return checkoutAnswer(context, 200, {
    title: subscriber.plan.name,
    offer: subscriber.offer,
    provider: await context.providerFor(subscriber.offer.tenant),
    body: (
      <SubscriberView
        {...{ subscriber, history, isOlder: after !== undefined, timeZone }}
        language={context.language}
      />
    ),
  })
}

const showCancel: Show = async (context, subscriber) => {
  if (!mayCancel(subscriber)) return redirectTo(subscriber.path)
  return cancelAnswer(context, 200, subscriber)
}

// Pressing it twice ends it once.
const pressCancel: Show = async (context, subscriber, { form }) => {
  const { offer, subscription, path } = subscriber
  const actor = { ...offer.tenant, kind: 'system', name: 'subscriber' } as const
  const when = form.get('when') === 'now' ? 'now' : 'period_end'
  try {
    await context.database.transaction((tx) =>
      endSubscription(tx, context, actor, subscription.id, when),
    )
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'conflict') throw error
    return cancelAnswer(context, 409, subscriber, context.language.texts.subscriber.cancelBusy)
  }
  return redirectTo(path)
}

async function cancelAnswer(
  context: PayerContext,
  status: number,
  subscriber: Subscriber,
  alert?: string,
): Promise<PageAnswer> {
  const { language } = context
  return checkoutAnswer(context, status, {
    title: language.texts.subscriber.cancelTitle,
    offer: subscriber.offer,
    provider: await context.providerFor(subscriber.offer.tenant),
    body: <CancelStep {...{ subscriber, language, alert }} />,
  })
}
