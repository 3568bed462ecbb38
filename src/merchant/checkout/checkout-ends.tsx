// What a payer sees after the provider's page: how the payment ended, or that it has not.
import type { ComponentChildren } from 'preact'
import type { PayerTexts } from '../../payer-texts/english.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { Finished } from './finish-checkout.ts'
import { titleOf } from './offer.ts'
import { OrderList } from './order-lines.tsx'
import { Amount } from './pay-step.tsx'
import { payerReason } from './payer-reason.ts'

export type EndProps = {
  readonly finished: Finished
  readonly timeZone: string
  readonly language: PayerLanguage
}

export function endTitle(
  { outcome, payment: { status } }: Finished,
  { ends }: Pick<PayerTexts, 'ends'>,
): string {
  if (status === 'refunded') return ends.refunded
  if (status === 'partially_refunded') return ends.partlyRefunded
  return { success: ends.paid, cancelled: ends.notPaid, waiting: ends.waiting }[outcome]
}

export function EndStep(props: EndProps) {
  switch (props.finished.outcome) {
    case 'success':
      return <PaidStep {...props} />
    case 'cancelled':
      return <NotPaidStep {...props} />
    case 'waiting':
      return <WaitingStep {...props} />
  }
}

function PaidStep(props: EndProps) {
  const { payment, offer } = props.finished
  const { amountMinor, refundedMinor, currency, status } = payment
  const { money, texts } = props.language
  const { ends } = texts
  if (status === 'refunded') {
    return (
      <>
        <Mark kind="quiet" path="M9 9 5.5 12 9 15m-3.5-3h8a3 3 0 0 0 0-6" />
        <h1>{ends.wasRefunded}</h1>
        <Amount text={money(amountMinor, currency)} />
        <p class="text">{ends.wholeRefunded(offer.merchantName)}</p>
        <Excess {...props} />
        <Details {...props} />
      </>
    )
  }
  return (
    <>
      <Mark kind="good" path="m7.5 12.5 3 3 6-6.5" />
      <h1>{status === 'partially_refunded' ? ends.paidPartlyRefunded : ends.paidThanks}</h1>
      <Amount text={money(amountMinor, currency)} />
      {status === 'partially_refunded' && (
        <p class="text">{ends.partRefunded(offer.merchantName, money(refundedMinor, currency))}</p>
      )}
      <Excess {...props} />
      <Details {...props} />
      <p class="hint">
        {offer.invoice && <a href={offer.path}>{texts.invoice.see}</a>} {ends.canClose}
      </p>
    </>
  )
}

// More than was asked for goes back by itself.
function Excess({ finished: { payment, offer, excess }, language }: EndProps) {
  if (!excess) return null
  const { ends } = language.texts
  const what = {
    kept: ends.excessKept(offer.merchantName),
    returned: ends.excessReturned,
    going_back: ends.excessGoingBack,
  }[excess.state]
  return (
    <p class="note">
      {ends.excess(language.money(excess.amountMinor, payment.currency))} {what}
    </p>
  )
}

// Payers who were charged are told so, and are not asked to pay again.
function NotPaidStep(props: EndProps) {
  const { offer, payment, money: stray } = props.finished
  const { texts } = props.language
  const { ends } = texts
  const reason = payerReason(payment, texts)
  return (
    <>
      <Mark kind="bad" path="m9 9 6 6m0-6-6 6" />
      <h1>{ends.notPaid}</h1>
      <p class="text">
        {reason} {stray === 'none' && ends.nothingCharged}
        {stray === 'going_back' && ends.goingBack}
        {stray === 'kept' && ends.onHold(offer.merchantName)}
      </p>
      <Details {...props} />
      {stray === 'none' && offer.state === 'payable' && (
        <a class="button" href={offer.path}>
          {texts.tryAgain}
        </a>
      )}
    </>
  )
}

function WaitingStep(props: EndProps) {
  const { payment } = props.finished
  const { ends } = props.language.texts
  return (
    <>
      <Mark kind="quiet" path="M12 7.5V12l3 2" />
      <h1>{ends.waiting}</h1>
      <p class="text" role="status">
        {ends.notConfirmed}
      </p>
      <Details {...props} />
      <p class="hint">
        <a href={`/pay/return/${payment.providerReference}`}>{ends.checkAgain}</a>
      </p>
      {payment.status === 'pending' && payment.checkoutUrl && (
        <p class="hint">
          {ends.notFinished} <a href={payment.checkoutUrl}>{ends.goBack}</a>.
        </p>
      )}
    </>
  )
}

function Details({ finished: { offer, payment, lines }, timeZone, language }: EndProps) {
  const { money, texts } = language
  const { facts } = texts
  const { amountMinor, refundedMinor, currency, succeededAt, createdAt } = payment
  const moment = succeededAt ?? createdAt
  const rows: [string, ComponentChildren][] = [
    [facts.to, offer.merchantName],
    [facts.for, titleOf(offer, language)],
    [facts.amount, money(amountMinor, currency)],
    ...(refundedMinor > 0n
      ? [[facts.refunded, money(refundedMinor, currency)] as [string, string]]
      : []),
    [
      succeededAt ? facts.paidOn : facts.startedOn,
      <time key="moment" datetime={moment.toISOString()}>
        {language.moment(moment, timeZone)}
      </time>,
    ],
    [facts.paymentId, payment.id],
  ]
  return (
    <>
      <OrderList lines={lines} currency={currency} language={language} />
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

export function Mark({ kind, path }: { kind: 'good' | 'bad' | 'quiet'; path: string }) {
  return (
    <svg
      class={`mark ${kind}`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="10" />
      <path d={path} />
    </svg>
  )
}
