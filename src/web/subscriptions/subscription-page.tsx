// A subscription: who pays what and when, the address for the subscriber, and every charge.
import { linkInvoice } from '../../books/service-money/link-invoice.ts'
import { Card } from '../../kernel/web/components.tsx'
import { getSubscriberPage } from '../../merchant/subscriber-pages/get-subscriber-page.ts'
import { cancelSubscription } from '../../merchant/subscriptions/cancel-subscription.ts'
import { getSubscription } from '../../merchant/subscriptions/get-subscription.ts'
import { intervalText, type Plan } from '../../merchant/subscriptions/plan.ts'
import type { SubscriptionWithoutCard } from '../../merchant/subscriptions/subscription.ts'
import { CopyLine } from '../components/copy-line.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState } from '../components/table.tsx'
import { CustomerLink } from '../customers/customer-link.tsx'
import { PaymentTable } from '../payments/payment-table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/subscriptions'

export const subscriptionPages = definePage({
  path: `${path}/:id`,
  operation: getSubscription,
  async show(visit) {
    const story = await visit.run(getSubscription, { id: visit.param('id') })
    const { subscription, plan, url, payments } = story
    const { id, payerName, payerEmail, status } = subscription
    const page = await visit.run(getSubscriberPage, { id })
    return {
      title: payerName ?? payerEmail,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'Subscriptions' }}
            title={
              <>
                {payerName ?? payerEmail} <Status of={status} />
              </>
            }
            lead={whatNext(visit, subscription)}
            actions={
              status !== 'cancelled' && (
                <>
                  {visit.may(linkInvoice) && (
                    <a class="btn" href={visit.href(`${path}/${id}/invoice`)}>
                      Pays an invoice
                    </a>
                  )}
                  {visit.may(cancelSubscription) && (
                    <a class="btn" href={visit.href(`${path}/${id}/cancel`)}>
                      Cancel subscription
                    </a>
                  )}
                </>
              )
            }
          />
          <div class="stack">
            <Card title="Details">
              <SubscriptionFacts visit={visit} subscription={subscription} plan={plan} />
            </Card>
            {status !== 'cancelled' && (
              <Card title="Page to pay">
                <p class="quiet">
                  {status === 'incomplete'
                    ? 'Send this address to the subscriber. They pay the first period there.'
                    : 'The subscriber pays there when a charge fails.'}
                </p>
                <CopyLine id="subscription-url" label="Address of the page to pay" text={url} />
              </Card>
            )}
            {page && (
              <Card title="The subscriber’s own page">
                <p class="quiet">
                  The subscriber sees the payments there, changes the card and cancels. Send the
                  address to no one else: everyone who has it can do the same.
                </p>
                <CopyLine id="page-url" label="Address of the subscriber’s page" text={page.url} />
                <p>
                  <a href={visit.href(`${path}/${id}/page`)}>Replace this address</a>
                </p>
              </Card>
            )}
            <section>
              <h2>Charges</h2>
              {payments.length === 0 ? (
                <EmptyState title="Not charged yet">
                  The first charge appears here when the subscriber pays it.
                </EmptyState>
              ) : (
                <PaymentTable visit={visit} payments={payments} isOfOnePayer />
              )}
            </section>
          </div>
        </>
      ),
    }
  },
})

type FactsProps = { visit: Visit; subscription: SubscriptionWithoutCard; plan: Plan }

function SubscriptionFacts({ visit, subscription, plan }: FactsProps) {
  const { payerEmail, cardSaved, cardLast4, scheduleId } = subscription
  const { nextAt, cancelAtPeriodEnd, cancelledAt } = subscription
  const moment = (at: Date) => <Moment at={at} zone={visit.zone} />
  return (
    <Facts
      facts={[
        ['Plan', plan.name],
        [
          'Amount',
          <>
            <Money minor={plan.amountMinor} currency={plan.currency} /> {intervalText(plan)}
          </>,
        ],
        [
          'E-mail',
          cardSaved ? <CustomerLink visit={visit} email={payerEmail} name={null} /> : payerEmail,
        ],
        [
          'Card',
          cardSaved ? (cardLast4 ? `Saved, ends with ${cardLast4}` : 'Saved') : 'None saved yet',
        ],
        scheduleId !== null && [
          'Charged by',
          <a href={visit.href(`/recurring/${scheduleId}`)}>A recurring invoice</a>,
        ],
        nextAt !== null && [cancelAtPeriodEnd ? 'Ends' : 'Next charge', moment(nextAt)],
        cancelledAt !== null && ['Cancelled', moment(cancelledAt)],
        ['Created', moment(subscription.createdAt)],
      ]}
    />
  )
}

function whatNext(visit: Visit, subscription: SubscriptionWithoutCard) {
  const { status, nextAt, cancelAtPeriodEnd, scheduleId } = subscription
  if (status === 'incomplete') return 'Waits for the subscriber to pay the first period.'
  if (status === 'cancelled') return 'Nothing is charged any more.'
  if (scheduleId !== null) {
    return 'It is not renewed by itself: a recurring invoice is charged to its card.'
  }
  if (nextAt === null) return null
  const day = <Moment at={nextAt} zone={visit.zone} withTime={false} />
  if (cancelAtPeriodEnd) return <>Ends on {day}. Nothing is charged any more.</>
  if (status === 'past_due') return <>The last charge failed. It is tried again on {day}.</>
  return <>The next charge is on {day}.</>
}
