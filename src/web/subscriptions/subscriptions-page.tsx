// Plans and subscriptions: what is charged regularly, and to whom.
import { createPlan } from '../../merchant/subscriptions/create-plan.ts'
import { createSubscription } from '../../merchant/subscriptions/create-subscription.ts'
import { listPlans } from '../../merchant/subscriptions/list-plans.ts'
import { listSubscriptions } from '../../merchant/subscriptions/list-subscriptions.ts'
import { intervalText, type Plan } from '../../merchant/subscriptions/plan.ts'
import type { SubscriptionWithoutCard } from '../../merchant/subscriptions/subscription.ts'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/subscriptions'

export const subscriptionsPages = definePage({
  path,
  operation: listSubscriptions,
  async show(visit) {
    const [plans, subscriptions] = await Promise.all([
      visit.run(listPlans, {}),
      visit.run(listSubscriptions, {}),
    ])
    return {
      title: 'Subscriptions',
      content: (
        <>
          <PageHeader
            title="Subscriptions"
            lead="A subscriber’s card is charged for every period of a plan."
            actions={<Actions visit={visit} hasPlans={plans.length > 0} />}
          />
          <div class="stack">
            {subscriptions.length === 0 ? (
              <EmptyState title="No subscribers yet">
                {plans.length === 0
                  ? 'Create a plan first: a name, an amount and how often it is charged.'
                  : 'Add a subscriber and send them the address of their page. They pay there once.'}
              </EmptyState>
            ) : (
              <SubscriptionTable visit={visit} plans={plans} subscriptions={subscriptions} />
            )}
            {plans.length > 0 && <PlanTable plans={plans} />}
          </div>
        </>
      ),
    }
  },
})

function Actions({ visit, hasPlans }: { visit: Visit; hasPlans: boolean }) {
  return (
    <>
      {visit.may(createPlan) && (
        <a class="btn" href={visit.href(`${path}/plans/new`)}>
          New plan
        </a>
      )}
      {hasPlans && visit.may(createSubscription) && (
        <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
          New subscriber
        </a>
      )}
    </>
  )
}

type SubscriptionTableProps = {
  visit: Visit
  plans: readonly Plan[]
  subscriptions: readonly SubscriptionWithoutCard[]
}

function SubscriptionTable({ visit, plans, subscriptions }: SubscriptionTableProps) {
  const planName = (id: string) => plans.find((plan) => plan.id === id)?.name ?? 'Older plan'
  return (
    <Table
      caption="Subscriptions"
      rows={subscriptions}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`${path}/${id}`)}
      columns={[
        { label: 'Subscriber', cell: ({ payerName, payerEmail }) => payerName ?? payerEmail },
        { label: 'Plan', cell: ({ planId }) => planName(planId) },
        { label: 'Status', cell: ({ status }) => <Status of={status} /> },
        {
          label: 'Next charge',
          cell: ({ nextAt, cancelAtPeriodEnd }) => {
            if (nextAt === null) return '–'
            const moment = <Moment at={nextAt} zone={visit.zone} withTime={false} />
            return cancelAtPeriodEnd ? <span>Ends {moment}</span> : moment
          },
        },
      ]}
    />
  )
}

function PlanTable({ plans }: { plans: readonly Plan[] }) {
  return (
    <section>
      <h2>Plans</h2>
      <Table
        caption="Plans"
        rows={plans}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          {
            label: 'Amount',
            cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
          },
          { label: 'Charged', cell: intervalText },
          { label: 'Time zone', cell: ({ timeZone }) => timeZone },
        ]}
      />
    </section>
  )
}
