// Creating a plan, adding a subscriber, cancelling a subscription, and a new address for its page.
import { invalidField } from '../../kernel/basics/fault.ts'
import { type IntervalUnit, intervalUnits } from '../../kernel/basics/interval.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { renewSubscriberPage } from '../../merchant/subscriber-pages/renew-subscriber-page.ts'
import { cancelSubscription } from '../../merchant/subscriptions/cancel-subscription.ts'
import { createPlan } from '../../merchant/subscriptions/create-plan.ts'
import { createSubscription } from '../../merchant/subscriptions/create-subscription.ts'
import { listPlans } from '../../merchant/subscriptions/list-plans.ts'
import { intervalText } from '../../merchant/subscriptions/plan.ts'
import { readTypedAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney } from '../components/money.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/subscriptions'
const back = (visit: Visit) => ({ href: visit.href(path), text: 'Subscriptions' })

const planForm = defineForm({
  path: `${path}/plans/new`,
  operation: createPlan,
  input(_visit, form) {
    const currency = (form.get('currency') ?? '').trim().toUpperCase()
    if (!isCurrency(currency)) throw invalidField('currency', 'Enter a currency such as NGN.')
    return {
      name: (form.get('name') ?? '').trim(),
      currency,
      amountMinor: readTypedAmount(form, 'amountMinor', currency),
      intervalUnit: (form.get('intervalUnit') ?? '') as IntervalUnit,
      intervalCount: Number.parseInt(form.get('intervalCount') ?? '', 10),
      timeZone: (form.get('timeZone') ?? '').trim(),
    }
  },
  show: async (visit, draft) =>
    formPage({
      title: 'New plan',
      back: back(visit),
      draft,
      submit: 'Create plan',
      children: (
        <>
          <DraftText draft={draft} name="name" label="Name" />
          <DraftText draft={draft} name="currency" label="Currency" initial="NGN" />
          <DraftText draft={draft} name="amountMinor" label="Amount" inputMode="decimal" />
          <DraftText draft={draft} name="intervalCount" label="Charged every" initial="1" />
          <DraftSelect
            draft={draft}
            name="intervalUnit"
            label="Unit"
            initial="month"
            choices={Object.fromEntries(intervalUnits.map((unit) => [unit, `${unit}(s)`]))}
          />
          <DraftText
            draft={draft}
            name="timeZone"
            label="Time zone"
            hint="A period begins at midnight there."
            initial={visit.zone}
          />
        </>
      ),
    }),
  done: (visit, { name }) => ({
    location: visit.href(path),
    message: `The plan ${name} is created.`,
  }),
})

const subscriberForm = defineForm({
  path: `${path}/new`,
  operation: createSubscription,
  input: (_visit, form) => ({
    planId: form.get('planId') ?? '',
    payerEmail: (form.get('payerEmail') ?? '').trim(),
    payerName: (form.get('payerName') ?? '').trim() || null,
  }),
  async show(visit, draft) {
    const plans = await visit.run(listPlans, {})
    const choices = Object.fromEntries(
      plans.map((plan) => [
        plan.id,
        `${plan.name}: ${formatMoney(plan.amountMinor, plan.currency)} ${intervalText(plan)}`,
      ]),
    )
    return formPage({
      title: 'New subscriber',
      back: back(visit),
      draft,
      submit: 'Add subscriber',
      children: (
        <>
          <DraftSelect draft={draft} name="planId" label="Plan" choices={choices} />
          <DraftText draft={draft} name="payerEmail" label="E-mail" />
          <DraftText draft={draft} name="payerName" label="Name (optional)" isOptional />
        </>
      ),
    })
  },
  done: (visit, { id, payerEmail }) => ({
    location: visit.href(`${path}/${id}`),
    message: `${payerEmail} is added. Send them the address of their page to pay the first period.`,
  }),
})

const cancelForm = defineForm({
  path: `${path}/:id/cancel`,
  operation: cancelSubscription,
  input: (visit, form) => ({
    id: visit.param('id'),
    when: form.get('when') === 'now' ? ('now' as const) : ('period_end' as const),
  }),
  show: async (visit, draft) =>
    formPage({
      title: 'Cancel subscription',
      back: { href: visit.href(`${path}/${visit.param('id')}`), text: 'Subscription' },
      draft,
      submit: 'Cancel subscription',
      isDangerous: true,
      children: (
        <>
          <p>Nothing is charged any more. Nothing is refunded either: refund a payment for that.</p>
          <DraftSelect
            draft={draft}
            name="when"
            label="When"
            initial="period_end"
            choices={{ period_end: 'At the end of the paid period', now: 'Now' }}
          />
        </>
      ),
    }),
  done: (visit, { id, status }) => ({
    location: visit.href(`${path}/${id}`),
    message:
      status === 'cancelled'
        ? 'The subscription is cancelled.'
        : 'The subscription ends with the paid period.',
  }),
})

const pageForm = defineForm({
  path: `${path}/:id/page`,
  operation: renewSubscriberPage,
  input: (visit) => ({ id: visit.param('id') }),
  show: async (visit, draft) =>
    formPage({
      title: 'Replace the address',
      back: { href: visit.href(`${path}/${visit.param('id')}`), text: 'Subscription' },
      draft,
      submit: 'Replace address',
      isDangerous: true,
      children: (
        <p>
          Do this if the address of the subscriber’s page got into the wrong hands. The old address
          stops working at once, also in mails that were sent. Send the new one to the subscriber.
        </p>
      ),
    }),
  done: (visit) => ({
    location: visit.href(`${path}/${visit.param('id')}`),
    message: 'The subscriber’s page has a new address. Send it to the subscriber.',
  }),
})

export const subscriptionForms = [...planForm, ...subscriberForm, ...cancelForm, ...pageForm]
