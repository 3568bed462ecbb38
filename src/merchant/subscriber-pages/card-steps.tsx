// What a subscriber sees before and after the card is changed.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { Mark } from '../checkout/checkout-ends.tsx'
import type { Offer } from '../checkout/offer.ts'
import { payerReason } from '../checkout/payer-reason.ts'
import { cardName } from '../payments/method-name.ts'
import { isCollected, isOpen, type Payment } from '../payments/payment.ts'
import { mayChangeCard } from '../subscriptions/check-card.ts'
import type { Subscriber } from './read-subscriber.ts'

type FormProps = {
  readonly subscriber: Subscriber
  readonly offer: Offer
  readonly token: string
  readonly amountMinor: bigint
  readonly alert?: string
  readonly language: PayerLanguage
}

export function CardForm({ subscriber, offer, token, amountMinor, alert, language }: FormProps) {
  const { subscription, path } = subscriber
  const { subscriber: texts } = language.texts
  return (
    <>
      {alert && (
        <p class="alert" role="alert">
          {alert}
        </p>
      )}
      <p class="payee">
        {texts.yourSubscription} <strong>{offer.merchantName}</strong>
      </p>
      <h1>{texts.cardTitle}</h1>
      {subscription.cardSaved && (
        <p class="text">{texts.cardNow(cardName(subscription, language))}</p>
      )}
      <p class="text">{texts.cardCheck(language.money(amountMinor, offer.currency))}</p>
      {subscription.cardSaved && <p class="text">{texts.cardStays}</p>}
      <form method="post" action={offer.path}>
        <input type="hidden" name="token" value={token} />
        <button class="button" type="submit">
          {texts.cardContinue}
        </button>
      </form>
      <p class="hint">{texts.cardSecure(offer.merchantName)}</p>
      <p class="hint">
        <a href={path}>{texts.back}</a>
      </p>
    </>
  )
}

// not_kept: the card can't be charged again. late: the subscription has ended, or another card is
// newer.
export type CardOutcome = 'changed' | 'not_kept' | 'late' | 'declined' | 'waiting'

export function resultOf(payment: Payment, { subscription }: Subscriber): CardOutcome {
  if (isOpen(payment)) return 'waiting'
  if (!isCollected(payment)) return 'declined'
  const { cardPaymentId } = subscription
  if (cardPaymentId === payment.id) return 'changed'
  const isNewer = cardPaymentId !== null && cardPaymentId > payment.id
  return isNewer || !mayChangeCard(subscription) ? 'late' : 'not_kept'
}

export function cardResultTitle(outcome: CardOutcome, { texts }: PayerLanguage): string {
  return {
    changed: texts.subscriber.cardChanged,
    not_kept: texts.subscriber.cardNotKept,
    late: texts.subscriber.cardDeclined,
    declined: texts.subscriber.cardDeclined,
    waiting: texts.ends.waiting,
  }[outcome]
}

type ResultProps = {
  readonly result: CardOutcome
  readonly payment: Payment
  readonly subscriber: Subscriber
  readonly language: PayerLanguage
}

export function CardResult({ result, payment, subscriber, language }: ResultProps) {
  const { texts } = language
  const { subscription, path } = subscriber
  const amount = language.money(payment.amountMinor, payment.currency)
  const text = {
    changed: texts.subscriber.cardChangedText(amount),
    not_kept: texts.subscriber.cardNotKeptText(amount),
    late: texts.subscriber.cardLate(amount),
    declined: `${payerReason(payment, texts)} ${texts.subscriber.cardDeclinedText}`,
    waiting: texts.ends.notConfirmed,
  }[result]
  return (
    <>
      {result === 'changed' && <Mark kind="good" path="m7.5 12.5 3 3 6-6.5" />}
      {result === 'waiting' && <Mark kind="quiet" path="M12 7.5V12l3 2" />}
      {result !== 'changed' && result !== 'waiting' && <Mark kind="bad" path="m9 9 6 6m0-6-6 6" />}
      <h1>{cardResultTitle(result, language)}</h1>
      <p class="text" role="status">
        {text}
      </p>
      {subscription.cardSaved && (
        <dl>
          <div>
            <dt>{texts.subscriber.card}</dt>
            <dd>{cardName(subscription, language)}</dd>
          </div>
        </dl>
      )}
      {(result === 'declined' || result === 'not_kept') && mayChangeCard(subscription) && (
        <a class="button" href={`${path}/card`}>
          {texts.tryAgain}
        </a>
      )}
      <p class="hint">
        <a href={path}>{texts.subscriber.back}</a>
      </p>
    </>
  )
}
