// The list of payments: search, filters, sums of what is filtered, and the same as CSV.
import { csvHeaders } from '../../kernel/http/csv.ts'
import { listBalances } from '../../merchant/balances/list-balances.ts'
import { getPaymentLink } from '../../merchant/payment-links/get-payment-link.ts'
import { exportPayments } from '../../merchant/payments/export-payments.ts'
import { getPaymentTotals, summedMax } from '../../merchant/payments/get-payment-totals.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import type { PaymentTotal } from '../../merchant/payments/payment-filter.ts'
import { localDay } from '../../merchant/subscriptions/billing-period.ts'
import { formatCount } from '../components/locale.ts'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { PaymentFilterBar, paymentsPath } from './payment-filter-bar.tsx'
import { type PaymentQuery, readPaymentQuery } from './payment-query.ts'
import { PaymentTable } from './payment-table.tsx'

const pageSize = 25

const listPage = definePage({
  path: paymentsPath,
  operation: listPayments,
  async show(visit) {
    const query = readPaymentQuery(visit)
    const after = visit.query.get('after') || undefined
    const isFiltered = Object.keys(query.values).length > 0
    const [page, totals, currencies, names] = await Promise.all([
      readPage(visit, query, after),
      isFiltered && isReadable(query) ? visit.run(getPaymentTotals, query.wanted) : [],
      readCurrencies(visit),
      readNames(visit, query),
    ])
    const { items: payments, nextCursor } = page
    return {
      title: 'Payments',
      content: (
        <>
          <PageHeader
            title="Payments"
            actions={
              payments.length > 0 && (
                <a
                  class="btn"
                  href={visit.href(`${paymentsPath}.csv`, query.values)}
                  data-turbo="false"
                >
                  Download CSV
                </a>
              )
            }
          />
          <PaymentFilterBar {...{ visit, query, currencies, names }} />
          {isFiltered && <Totals totals={totals} />}
          {payments.length > 0 ? (
            <PaymentTable visit={visit} payments={payments} />
          ) : (
            <Nothing visit={visit} isFiltered={isFiltered} />
          )}
          <Pager
            firstHref={after ? visit.href(paymentsPath, query.values) : undefined}
            nextHref={
              nextCursor
                ? visit.href(paymentsPath, { ...query.values, after: nextCursor })
                : undefined
            }
          />
        </>
      ),
    }
  },
})

function isReadable({ problems }: PaymentQuery): boolean {
  return Object.keys(problems).length === 0
}

async function readPage(visit: Visit, query: PaymentQuery, after: string | undefined) {
  // Until the problem is fixed, no list is better than one that ignores a filter.
  if (!isReadable(query)) return { items: [], nextCursor: null }
  return visit.run(listPayments, { ...query.wanted, limit: pageSize, startingAfter: after })
}

async function readCurrencies(visit: Visit): Promise<readonly string[]> {
  const balances = await visit.run(listBalances, {})
  return balances.map(({ currency }) => currency)
}

async function readNames(visit: Visit, { wanted }: PaymentQuery) {
  if (!wanted.paymentLinkId) return {}
  const { title } = await visit.run(getPaymentLink, { id: wanted.paymentLinkId })
  return { link: title }
}

function Totals({ totals }: { totals: readonly PaymentTotal[] | undefined }) {
  if (!totals) {
    return (
      <p class="quiet">
        More than {formatCount(summedMax)} payments. Narrow the filter to see their sums.
      </p>
    )
  }
  return (
    <ul class="list-totals">
      {totals.map(({ currency, count, collectedMinor, refundedMinor }) => (
        <li key={currency}>
          {formatCount(count)} {count === 1 ? 'payment' : 'payments'}, collected{' '}
          <strong>
            <Money minor={collectedMinor} currency={currency} />
          </strong>
          {refundedMinor > 0n && (
            <>
              , refunded <Money minor={refundedMinor} currency={currency} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function Nothing({ visit, isFiltered }: { visit: Visit; isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No payments yet">
        Payments appear here as soon as a customer opens one of your links or QR codes.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No payments found"
      action={
        <a class="btn" href={visit.href(paymentsPath)}>
          Remove all filters
        </a>
      }
    >
      Change or remove a filter. The search finds the beginning of an e-mail address or name, and
      whole references and amounts.
    </EmptyState>
  )
}

const csvPage = definePage({
  path: `${paymentsPath}.csv`,
  operation: exportPayments,
  async show(visit) {
    const pieces = await visit.run(exportPayments, readPaymentQuery(visit).wanted)
    const today = localDay(visit.context.clock.now(), visit.zone)
    return { status: 200, headers: csvHeaders(`payments-${today}.csv`), pieces }
  },
})

export const paymentsPages = [...listPage, ...csvPage]
