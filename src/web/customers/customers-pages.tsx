// Customers: everyone who pays, by e-mail address, and one of them with payments and subscriptions.
import { Card } from '../../kernel/web/components.tsx'
import type { Customer } from '../../merchant/customers/customer.ts'
import { getCustomer } from '../../merchant/customers/get-customer.ts'
import { listCustomers } from '../../merchant/customers/list-customers.ts'
import type { Subscription } from '../../merchant/subscriptions/subscription.ts'
import { Email } from '../components/email.tsx'
import { Facts } from '../components/facts.tsx'
import { Icon } from '../components/icon.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { PaymentTable } from '../payments/payment-table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { customerHref } from './customer-link.tsx'

const path = '/customers'

const listPage = definePage({
  path,
  operation: listCustomers,
  async show(visit) {
    const q = visit.query.get('q')?.trim() || undefined
    const after = visit.query.get('after') || undefined
    const { customers, next } = await visit.run(listCustomers, { text: q, after })
    return {
      title: 'Customers',
      content: (
        <>
          <PageHeader title="Customers" lead="Everyone who pays you, by e-mail address." />
          <search class="list-filter">
            <form class="search-line" method="get" action={visit.href(path)}>
              <label class="visually-hidden" for="q">
                Search customers
              </label>
              <Icon name="search" />
              <input
                class="form-control"
                id="q"
                name="q"
                type="search"
                value={q ?? ''}
                placeholder="Name or e-mail address"
                autocomplete="off"
              />
              <button class="btn" type="submit">
                Search
              </button>
            </form>
          </search>
          {customers.length > 0 ? (
            <CustomerTable visit={visit} customers={customers} />
          ) : (
            <NoCustomers visit={visit} text={q} />
          )}
          <Pager
            firstHref={after ? visit.href(path, { q }) : undefined}
            nextHref={next ? visit.href(path, { q, after: next }) : undefined}
            firstLabel="First"
            nextLabel="More"
          />
        </>
      ),
    }
  },
})

function NoCustomers({ visit, text }: { visit: Visit; text: string | undefined }) {
  if (text === undefined) {
    return (
      <EmptyState title="No customers yet">
        Everyone who opens one of your links or QR codes and pays appears here.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No customers found"
      action={
        <a class="btn" href={visit.href(path)}>
          Show all customers
        </a>
      }
    >
      No name and no e-mail address contains “{text}”. Try a shorter part of it.
    </EmptyState>
  )
}

function CustomerTable({ visit, customers }: { visit: Visit; customers: readonly Customer[] }) {
  return (
    <Table
      caption="Customers"
      rows={customers}
      keyOf={({ key }) => key}
      hrefOf={({ key }) => customerHref(visit, key)}
      columns={[
        { label: 'E-mail', cell: ({ email }) => <Email of={email} /> },
        { label: 'Name', cell: ({ name }) => name ?? '–' },
        { label: 'Payments', isNumber: true, cell: paymentCount },
        { label: 'Paid', isNumber: true, cell: (customer) => <Paid customer={customer} /> },
        {
          label: 'Last payment',
          cell: ({ lastPaymentAt }) => <Moment at={lastPaymentAt} zone={visit.zone} />,
        },
      ]}
    />
  )
}

function paymentCount({ totals }: Customer): number {
  return totals.reduce((sum, { count }) => sum + count, 0)
}

function Paid({ customer: { totals } }: { customer: Customer }) {
  const paid = totals.filter(({ count }) => count > 0)
  if (paid.length === 0) return <>–</>
  return (
    <>
      {paid.map(({ currency, paidMinor }) => (
        <span class="d-block" key={currency}>
          <Money minor={paidMinor} currency={currency} />
        </span>
      ))}
    </>
  )
}

const customerPage = definePage({
  path: `${path}/:email`,
  operation: getCustomer,
  async show(visit) {
    const story = await visit.run(getCustomer, { email: visit.param('email') })
    const { customer, payments, subscriptions } = story
    return {
      title: customer.email,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'Customers' }}
            title={customer.name ?? <Email of={customer.email} />}
            lead={customer.name ? customer.email : undefined}
          />
          <div class="stack">
            <Card title="Summary">
              <Facts
                facts={[
                  ['Paid, less refunds', <Paid customer={customer} />],
                  ['Payments that succeeded', paymentCount(customer)],
                  ['Last payment', <Moment at={customer.lastPaymentAt} zone={visit.zone} />],
                ]}
              />
            </Card>
            {subscriptions.length > 0 && (
              <SubscriptionTable visit={visit} subscriptions={subscriptions} />
            )}
            <section>
              <div class="section-head">
                <h2>Payments</h2>
                <a href={visit.href('/payments', { payer: customer.email })}>All payments</a>
              </div>
              <PaymentTable visit={visit} payments={payments} isOfOnePayer />
            </section>
          </div>
        </>
      ),
    }
  },
})

type SubscriptionsProps = { visit: Visit; subscriptions: readonly Subscription[] }

function SubscriptionTable({ visit, subscriptions }: SubscriptionsProps) {
  return (
    <section>
      <h2>Subscriptions</h2>
      <Table
        caption="Subscriptions"
        rows={subscriptions}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => visit.href(`/subscriptions/${id}`)}
        columns={[
          {
            label: 'Since',
            cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} withTime={false} />,
          },
          { label: 'Status', cell: ({ status }) => <Status of={status} /> },
        ]}
      />
    </section>
  )
}

export const customersPages = [...listPage, ...customerPage]
