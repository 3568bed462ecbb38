// The saved card that a recurring invoice is charged to, and the charge of each period.

import type { NamedPeriod, RecurringSchedule } from '../../books/recurring/recurring-schedule.ts'
import { chooseRecurringCard } from '../../bridge/choose-recurring-card.ts'
import type { RecurringCard } from '../../bridge/get-recurring-card.ts'
import { Badge, Card } from '../../kernel/web/components.tsx'
import { formatMoney } from '../components/money.tsx'
import { Status } from '../components/status.tsx'
import type { Visit } from '../shell/visit.ts'
import { recurringPath } from './schedule-looks.tsx'

type CardProps = { visit: Visit; schedule: RecurringSchedule; card: RecurringCard }

export function SavedCard({ visit, schedule, card }: CardProps) {
  const { chosen, problem, choices } = card
  const href = (act: string) => visit.href(`${recurringPath}/${schedule.id}/${act}`)
  const may = visit.may(chooseRecurringCard)
  if (chosen) {
    const { subscription, plan } = chosen
    const agreed = formatMoney(plan.amountMinor, plan.currency)
    return (
      <Card title="Saved card">
        <p>
          {subscription.status === 'cancelled' ? (
            <>
              <strong>Not charged:</strong> the customer’s subscription was cancelled. Invoices are
              still mailed, and the customer pays them on their pages.
            </>
          ) : (
            <>
              Each invoice is charged to the {cardText(subscription.cardLast4)} when it is mailed,
              at most {agreed}.
            </>
          )}{' '}
          <a href={visit.href(`/subscriptions/${subscription.id}`)}>Subscription to {plan.name}</a>
        </p>
        {may && (
          <a class="btn" href={href('stop-card')}>
            Stop charging the card
          </a>
        )}
      </Card>
    )
  }
  if (schedule.status === 'ended') return null
  const isPossible = choices.some((choice) => choice.problem === undefined)
  return (
    <Card title="Saved card">
      <p class={may && isPossible ? '' : 'mb-0'}>
        {problem ??
          (isPossible
            ? 'The customer has a subscription with a saved card. Invoices can be charged to it.'
            : 'Customers pay the invoices on their pages. If the customer subscribes to a plan with the same rhythm, invoices can be charged to the saved card.')}
      </p>
      <Refused choices={choices} />
      {may && isPossible && (
        <a class="btn" href={href('card')}>
          Charge a saved card
        </a>
      )}
    </Card>
  )
}

function cardText(last4: string | null): string {
  return last4 === null ? 'saved card' : `card that ends with ${last4}`
}

// Those that can't be chosen, with the reason.
export function Refused({ choices }: Pick<RecurringCard, 'choices'>) {
  const refused = choices.filter(({ problem }) => problem !== undefined)
  if (refused.length === 0) return null
  return (
    <ul>
      {refused.map(({ subscription, plan, problem }) => (
        <li key={subscription.id}>
          <strong>{plan.name}</strong>: {problem}
        </li>
      ))}
    </ul>
  )
}

type ChargeProps = { visit: Visit; period: NamedPeriod; charges: RecurringCard['charges'] }

export function PeriodCharge({ visit, period, charges }: ChargeProps) {
  const { number, charge, chargeNote } = period
  if (charge === null) return null
  if (charge === 'due') return <Badge tone="unsure">To be charged</Badge>
  if (charge === 'left') {
    return (
      <>
        <Badge tone="plain">Not charged</Badge> {chargeNote}
      </>
    )
  }
  const made = charges.find((one) => one.number === number)
  if (!made) return null
  const { paymentId, amountMinor, currency, status, failureReason } = made
  return (
    <>
      <a href={visit.href(`/payments/${paymentId}`)}>{formatMoney(amountMinor, currency)}</a>{' '}
      <Status of={status} /> {failureReason}
    </>
  )
}
