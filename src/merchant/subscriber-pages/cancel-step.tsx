// Asks before a subscription ends.
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { Subscriber } from './read-subscriber.ts'

type CancelProps = {
  readonly subscriber: Subscriber
  readonly language: PayerLanguage
  readonly alert: string | undefined
}

export function CancelStep({ subscriber, language, alert }: CancelProps) {
  const { path, next, offer } = subscriber
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
      <h1>{texts.cancelTitle}</h1>
      <p class="text">{offer.title}</p>
      <form method="post" action={`${path}/cancel`}>
        {next.kind === 'charge' ? (
          <fieldset>
            <legend>{texts.cancelWhen}</legend>
            <label>
              <input type="radio" name="when" value="period_end" checked />
              {texts.cancelAtEnd(language.day(next.day))}
            </label>
            <label>
              <input type="radio" name="when" value="now" />
              {texts.cancelNow}
            </label>
          </fieldset>
        ) : (
          <>
            <input type="hidden" name="when" value="now" />
            <p class="text">{texts.cancelNowText}</p>
          </>
        )}
        {next.kind === 'charging' && <p class="note">{texts.cancelCharging}</p>}
        <p class="text">{texts.cancelText}</p>
        <button class="button danger" type="submit">
          {texts.cancelConfirm}
        </button>
      </form>
      <a class="button quiet" href={path}>
        {texts.keep}
      </a>
    </>
  )
}
