// Choosing the saved card that a recurring invoice is charged to, and charging it no longer.
import { getRecurring } from '../../books/recurring/get-recurring.ts'
import { chooseRecurringCard } from '../../bridge/choose-recurring-card.ts'
import { getRecurringCard } from '../../bridge/get-recurring-card.ts'
import { stopRecurringCard } from '../../bridge/stop-recurring-card.ts'
import { intervalText } from '../../merchant/subscriptions/plan.ts'
import { DraftSelect } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney } from '../components/money.tsx'
import { type AppRoute, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { Refused } from './saved-card.tsx'
import { recurringPath } from './schedule-looks.tsx'

const page = (visit: Visit) => visit.href(`${recurringPath}/${visit.param('id')}`)
const input = (visit: Visit) => ({ id: visit.param('id') })

const chooseForm = defineForm({
  path: `${recurringPath}/:id/card`,
  operation: chooseRecurringCard,
  input: (visit, form) => ({
    ...input(visit),
    subscriptionId: form.get('subscriptionId') ?? '',
  }),
  async show(visit, draft) {
    const { schedule } = await visit.run(getRecurring, input(visit))
    const { choices } = await visit.run(getRecurringCard, input(visit))
    const possible = choices.filter(({ problem }) => problem === undefined)
    const texts = possible.map(({ subscription, plan }) => {
      const amount = formatMoney(plan.amountMinor, plan.currency)
      const card = subscription.cardLast4 === null ? '' : `, card ${subscription.cardLast4}`
      return [subscription.id, `${plan.name}, at most ${amount} ${intervalText(plan)}${card}`]
    })
    return formPage({
      title: `Charge ${schedule.name} to a saved card`,
      back: { href: page(visit), text: schedule.name },
      draft,
      submit: 'Charge this card',
      children: (
        <>
          <p>
            The subscription is no longer renewed by itself, also not after you stop this. Instead,
            each invoice is charged to its card when it is mailed: once, and only what is due. If a
            charge fails, the invoice stays open, and the customer gets a mail with its page.
          </p>
          <DraftSelect
            draft={draft}
            name="subscriptionId"
            label="Subscription"
            hint="The subscriptions of this customer’s e-mail address."
            choices={Object.fromEntries(texts)}
          />
          <Refused choices={choices} />
        </>
      ),
    })
  },
  done: (visit) => ({
    location: page(visit),
    message: 'The next invoices are charged to the saved card.',
  }),
})

const stopForm = defineForm({
  path: `${recurringPath}/:id/stop-card`,
  operation: stopRecurringCard,
  input,
  async show(visit, draft) {
    const { schedule } = await visit.run(getRecurring, input(visit))
    return formPage({
      title: `Stop charging the saved card for ${schedule.name}`,
      back: { href: page(visit), text: schedule.name },
      draft,
      submit: 'Stop charging the card',
      isDangerous: true,
      children: (
        <p>
          The invoices go on, and the customer pays them on their pages. The subscription is still
          not renewed by itself. Cancel it, or choose it for another recurring invoice.
        </p>
      ),
    })
  },
  done: (visit) => ({ location: page(visit), message: 'The card is no longer charged.' }),
})

export const savedCardForms: AppRoute[] = [...chooseForm, ...stopForm]
