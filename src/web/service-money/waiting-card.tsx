// What could not be posted, by its reason, and trying it again.
import type { Clearing } from '../../books/service-money/get-clearing.ts'
import { retryServiceMoney } from '../../books/service-money/retry-service-money.ts'
import { Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Money } from '../components/money.tsx'
import { defineAction } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { serviceMoneyPath } from './service-money-text.ts'

const retryPath = `${serviceMoneyPath}/retry`

type CardProps = { visit: Visit; waiting: Clearing['waiting'] }

export function WaitingCard({ visit, waiting }: CardProps) {
  if (waiting.length === 0) return null
  return (
    <Card title="Not posted yet">
      <ul>
        {waiting.map(({ reason, currency, count, heldMinor }) => (
          <li key={`${currency} ${reason}`}>
            {count.toLocaleString('en-GB')} {count === 1 ? 'movement' : 'movements'},{' '}
            <Money minor={heldMinor} currency={currency} />
            {': '}
            {reason ?? 'It is posted within seconds.'}
          </li>
        ))}
      </ul>
      <p class="quiet">
        Tillbook tries again by itself, at least once an hour. Missing rates are entered under{' '}
        <a href={visit.href('/settings/currencies')}>Currencies</a>.
      </p>
      {visit.may(retryServiceMoney) && (
        <ActionButton
          action={visit.href(retryPath)}
          token={visit.context.ids.uuid()}
          label="Try again now"
        />
      )}
    </Card>
  )
}

export const retryAction = defineAction({
  path: retryPath,
  operation: retryServiceMoney,
  page: (visit) => visit.href(serviceMoneyPath),
  input: () => ({}),
  done: (visit, { tried }) => ({
    location: visit.href(serviceMoneyPath),
    message: tried === 0 ? 'Nothing waits.' : 'Trying again. Load this page in some seconds.',
  }),
})
