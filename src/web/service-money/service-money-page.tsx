// Money of the payment service in the books: what the clearing account holds and why, what could
// not be posted, and which payment settled which invoice.
import { bookLinkPayment } from '../../books/service-money/book-link-payment.ts'
import { getClearing } from '../../books/service-money/get-clearing.ts'
import { getServiceTasks, type ServiceTasks } from '../../books/service-money/get-service-tasks.ts'
import { listServicePayments } from '../../books/service-money/list-service-payments.ts'
import { setServiceMoney } from '../../books/service-money/set-service-money.ts'
import { explainClearing } from '../../bridge/explain-clearing.ts'
import { Alert } from '../../kernel/web/components.tsx'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { byHandPath } from './by-hand-forms.tsx'
import { ClearingCard } from './clearing-card.tsx'
import { serviceMoneyPath, settingsPath } from './service-money-text.ts'
import { ServicePaymentTable } from './service-payment-table.tsx'
import { WaitingCard } from './waiting-card.tsx'

const pageSize = 25

const views = { unassigned: 'To assign', assigned: 'Assigned', waiting: 'Not posted yet' } as const
type View = keyof typeof views

export const serviceMoneyPages = definePage({
  path: serviceMoneyPath,
  operation: listServicePayments,
  async show(visit) {
    const view = viewOf(visit.query.get('view'))
    const after = visit.query.get('after') || undefined
    const [clearing, tasks, balances, { payments, nextAfter }] = await Promise.all([
      visit.run(getClearing, {}),
      visit.run(getServiceTasks, {}),
      visit.run(listBalances, {}),
      visit.run(listServicePayments, { state: view, after, limit: pageSize }),
    ])
    return {
      title: 'Service money',
      content: (
        <>
          <PageHeader
            title="Service money"
            lead="Payments, refunds and payouts of the payment service, as they are in your books."
            actions={
              visit.may(setServiceMoney) && (
                <a class="btn" href={visit.href(settingsPath)}>
                  Settings
                </a>
              )
            }
          />
          <div class="stack">
            {!clearing.isOn && <IsOff visit={visit} />}
            <WaitingCard visit={visit} waiting={clearing.waiting} />
            <ClearingCard
              visit={visit}
              clearing={clearing}
              parts={explainClearing(clearing, balances)}
            />
            <section>
              <h2>Payments</h2>
              <FilterChips
                label="Payments"
                chosen={view}
                choices={views}
                hrefOf={(choice) => visit.href(serviceMoneyPath, { view: choice })}
              />
              {view === 'unassigned' && <WithoutInvoices visit={visit} tasks={tasks} />}
              {payments.length > 0 ? (
                <ServicePaymentTable visit={visit} payments={payments} />
              ) : (
                <Nothing view={view} />
              )}
              <Pager
                firstHref={after ? visit.href(serviceMoneyPath, { view }) : undefined}
                nextHref={
                  nextAfter ? visit.href(serviceMoneyPath, { view, after: nextAfter }) : undefined
                }
              />
            </section>
            {visit.may(bookLinkPayment) && <ByHand visit={visit} />}
          </div>
        </>
      ),
    }
  },
})

function ByHand({ visit }: { visit: Visit }) {
  return (
    <p class="quiet">
      What happened on days without automatic posting is posted by hand: a{' '}
      <a href={visit.href(`${byHandPath}/payment`)}>payment</a>, a{' '}
      <a href={visit.href(`${byHandPath}/refund`)}>refund</a> or a{' '}
      <a href={visit.href(`${byHandPath}/payout`)}>payout</a>.
    </p>
  )
}

function viewOf(text: string | null): View | undefined {
  return (Object.keys(views) as View[]).find((view) => view === text)
}

function IsOff({ visit }: { visit: Visit }) {
  return (
    <Alert tone="unsure">
      Money of the payment service is not posted automatically.{' '}
      {visit.may(setServiceMoney) ? (
        <a href={visit.href(settingsPath)}>Switch it on</a>
      ) : (
        'An owner or admin can switch it on.'
      )}
    </Alert>
  )
}

function WithoutInvoices({ visit, tasks }: { visit: Visit; tasks: ServiceTasks }) {
  if (tasks.sellsWithoutInvoices) {
    return (
      <p class="quiet">
        Payments without an invoice are posted as income. You don’t have to assign them.
      </p>
    )
  }
  if (!visit.may(setServiceMoney)) return null
  return (
    <p class="quiet">
      Do you sell without invoices? <a href={visit.href(settingsPath)}>Name an income account</a>,
      and new payments are posted there.
    </p>
  )
}

const nothing: Readonly<Record<View | 'all', readonly [string, string]>> = {
  unassigned: [
    'Nothing to assign',
    'Payments whose link or code names no invoice appear here, and you choose the invoice.',
  ],
  assigned: ['No assigned payments yet', 'Put the number of an invoice in the title of a link.'],
  waiting: ['Nothing waits', 'Every payment is in the books.'],
  all: ['No payments yet', 'What your customers pay through the payment service appears here.'],
}

function Nothing({ view }: { view: View | undefined }) {
  const [title, text] = nothing[view ?? 'all']
  return <EmptyState title={title}>{text}</EmptyState>
}
