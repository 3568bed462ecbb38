// The subscriber's page itself.

import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { Amount } from '../checkout/pay-step.tsx'
import { cardName } from '../payments/method-name.ts'
import { isCollected, type Payment } from '../payments/payment.ts'
import { receiptPath } from '../receipts/receipt.ts'
import { mayChangeCard } from '../subscriptions/check-card.ts'
import { intervalOf } from '../subscriptions/plan.ts'
import { type History, mayCancel, type Subscriber } from './read-subscriber.ts'

type ViewProps = {
  readonly subscriber: Subscriber
  readonly history: History
  // Not the newest payments.
  readonly isOlder: boolean
  readonly timeZone: string
  readonly language: PayerLanguage
}

export function SubscriberView(props: ViewProps) {
  const { subscriber, language } = props
  const { subscription, plan, offer, path } = subscriber
  const { subscriber: texts, pay } = language.texts
  const { unit, count } = intervalOf(plan)
  return (
    <>
      <p class="payee">
        {texts.yourSubscription} <strong>{offer.merchantName}</strong>
      </p>
      <h1>{offer.title}</h1>
      <p class={`status ${subscription.status}`}>
        <strong>{texts.status[subscription.status]}</strong>
      </p>
      <Amount text={language.money(plan.amountMinor, plan.currency)} />
      <p class="text">{pay.every[unit](count)}</p>
      <Note subscriber={subscriber} language={language} />
      <Facts subscriber={subscriber} language={language} />
      <PayButton subscriber={subscriber} language={language} />
      {mayChangeCard(subscription) && (
        <a class="button quiet" href={`${path}/card`}>
          {texts.changeCard}
        </a>
      )}
      <Payments {...props} />
      {mayCancel(subscriber) && (
        <p class="hint">
          <a href={`${path}/cancel`}>{texts.cancel}</a>
        </p>
      )}
    </>
  )
}

type PartProps = Pick<ViewProps, 'subscriber' | 'language'>

// What the subscriber has to know now.
function Note({ subscriber: { next, plan }, language }: PartProps) {
  const { subscriber: texts } = language.texts
  switch (next.kind) {
    case 'start':
      return <p class="note">{texts.start}</p>
    case 'retry':
      return <p class="note">{texts.failed(language.day(next.day))}</p>
    case 'charging':
      return (
        <p class="note" role="status">
          {texts.charging}
        </p>
      )
    case 'invoiced':
      return <p class="note">{texts.invoiced(language.money(plan.amountMinor, plan.currency))}</p>
    case 'end':
      return <p class="note">{texts.ending(language.day(next.day))}</p>
    case 'ended':
      return <p class="note">{texts.ended}</p>
    case 'charge':
      return null
  }
}

function Facts({ subscriber: { subscription, next }, language }: PartProps) {
  const { subscriber: texts } = language.texts
  const names = {
    charge: texts.nextCharge,
    retry: texts.nextRetry,
    end: texts.endsOn,
    ended: texts.endedOn,
  }
  const isRunning = subscription.status === 'active' || subscription.status === 'past_due'
  return (
    <dl>
      {'day' in next && (
        <div>
          <dt>{names[next.kind]}</dt>
          <dd>{language.day(next.day)}</dd>
        </div>
      )}
      {isRunning && (
        <div>
          <dt>{texts.card}</dt>
          <dd>{subscription.cardSaved ? cardName(subscription, language) : texts.noCard}</dd>
        </div>
      )}
    </dl>
  )
}

function PayButton({ subscriber: { offer, subscription }, language }: PartProps) {
  const { subscriber: texts } = language.texts
  if (offer.state !== 'payable') return null
  return (
    <a class="button" href={offer.path}>
      {subscription.status === 'incomplete' ? texts.payFirst : texts.payNow}
    </a>
  )
}

function Payments({ subscriber, history, isOlder, timeZone, language }: ViewProps) {
  const { subscriber: texts } = language.texts
  return (
    <section class="history">
      <h2>{texts.payments}</h2>
      {history.payments.length === 0 && <p class="text">{texts.noPayments}</p>}
      <ul>
        {history.payments.map((payment) => (
          <li key={payment.id}>
            <span>
              <time datetime={momentOf(payment).toISOString()}>
                {language.date(momentOf(payment), timeZone)}
              </time>
              <small>{texts.paymentStatus[payment.status]}</small>
            </span>
            <span>
              {language.money(payment.amountMinor, payment.currency)}
              {isCollected(payment) && (
                <small>
                  <a href={receiptPath(payment)}>{texts.receipt}</a>
                </small>
              )}
            </span>
          </li>
        ))}
      </ul>
      {(history.older !== undefined || isOlder) && (
        <p class="hint">
          {isOlder && <a href={subscriber.path}>{texts.newest}</a>}{' '}
          {history.older !== undefined && (
            <a href={`${subscriber.path}?after=${history.older}`}>{texts.older}</a>
          )}
        </p>
      )}
    </section>
  )
}

function momentOf({ succeededAt, createdAt }: Payment): Date {
  return succeededAt ?? createdAt
}
