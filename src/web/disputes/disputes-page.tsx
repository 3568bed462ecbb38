// The list of disputes: search, filters, sums of what is filtered, and the same as CSV.
import type { z } from 'zod'
import { addDays } from '../../kernel/basics/calendar.ts'
import { csvHeaders } from '../../kernel/http/csv.ts'
import { disputePhases, phaseOf } from '../../merchant/chargebacks/chargeback.ts'
import type { Dispute, DisputeTotal } from '../../merchant/chargebacks/dispute.ts'
import { exportDisputes } from '../../merchant/chargebacks/export-disputes.ts'
import { getDisputeTotals, listDisputes } from '../../merchant/chargebacks/list-disputes.ts'
import { localDay, startOfDay } from '../../merchant/subscriptions/billing-period.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { formatCount } from '../components/locale.ts'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { daysOf, findPeriod, periodLabels } from '../components/period.ts'
import { SearchLine } from '../components/search-line.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { CustomerLink } from '../customers/customer-link.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Query, Visit } from '../shell/visit.ts'
import { Due, disputesPath, phaseLabels } from './dispute-text.tsx'

const pageSize = 25

const listPage = definePage({
  path: disputesPath,
  operation: listDisputes,
  async show(visit) {
    const { values, wanted } = readQuery(visit)
    const after = visit.query.get('after') || undefined
    const isFiltered = Object.values(values).some((value) => value !== undefined)
    const [{ items: disputes, nextCursor }, { totals }] = await Promise.all([
      visit.run(listDisputes, { ...wanted, limit: pageSize, startingAfter: after }),
      visit.run(getDisputeTotals, wanted),
    ])
    return {
      title: 'Disputes',
      content: (
        <>
          <PageHeader
            title="Disputes"
            lead="Payments that a payer disputes at their bank. Also called chargebacks."
            actions={
              disputes.length > 0 && (
                <a class="btn" href={visit.href(`${disputesPath}.csv`, values)} data-turbo="false">
                  Download CSV
                </a>
              )
            }
          />
          <Filters visit={visit} values={values} />
          <Totals totals={totals} />
          {disputes.length > 0 ? (
            <DisputeTable visit={visit} disputes={disputes} />
          ) : (
            <Nothing visit={visit} isFiltered={isFiltered} />
          )}
          <Pager
            firstHref={after ? visit.href(disputesPath, values) : undefined}
            nextHref={
              nextCursor ? visit.href(disputesPath, { ...values, after: nextCursor }) : undefined
            }
          />
        </>
      ),
    }
  },
})

type Wish = z.input<typeof exportDisputes.input>

type DisputeQuery = { readonly values: Query; readonly wanted: Wish }

function readQuery({ query, context, zone }: Visit): DisputeQuery {
  const text = query.get('q')?.trim() || undefined
  const phase = disputePhases.find((one) => one === query.get('state'))
  const period = findPeriod(query.get('period'))
  const days = period && daysOf(period, context.clock.now(), zone)
  return {
    values: { q: text, state: phase, period },
    wanted: {
      text,
      phase,
      openedSince: days && startOfDay(days.from, zone),
      openedBefore: days && startOfDay(addDays(days.to, 1), zone),
    },
  }
}

function Filters({ visit, values }: { visit: Visit; values: Query }) {
  const href = (changes: Query) => visit.href(disputesPath, { ...values, ...changes })
  return (
    <div class="list-filter">
      <SearchLine
        label="Search disputes"
        hint="E-mail, name, reference or amount"
        value={values.q}
        kept={{ state: values.state, period: values.period }}
      />
      <FilterChips
        label="State"
        chosen={disputePhases.find((one) => one === values.state)}
        choices={phaseLabels}
        hrefOf={(state) => href({ state })}
      />
      <FilterChips
        label="Opened"
        allLabel="Any time"
        chosen={findPeriod(values.period ?? null)}
        choices={periodLabels}
        hrefOf={(period) => href({ period })}
      />
    </div>
  )
}

function Totals({ totals }: { totals: readonly DisputeTotal[] }) {
  if (totals.length === 0) return null
  return (
    <ul class="list-totals">
      {totals.map(({ currency, count, amountMinor }) => (
        <li key={currency}>
          {formatCount(count)} {count === 1 ? 'dispute' : 'disputes'} about{' '}
          <strong>
            <Money minor={amountMinor} currency={currency} />
          </strong>
        </li>
      ))}
    </ul>
  )
}

function DisputeTable({ visit, disputes }: { visit: Visit; disputes: readonly Dispute[] }) {
  const now = visit.context.clock.now()
  return (
    <Table
      caption="Disputes"
      rows={disputes}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`${disputesPath}/${id}`)}
      columns={[
        {
          label: 'Amount',
          cell: ({ amountMinor, currency }) => <Money minor={amountMinor} currency={currency} />,
        },
        { label: 'State', cell: (dispute) => <Status of={phaseOf(dispute, now)} /> },
        {
          label: 'Payer',
          cell: ({ payerEmail, payerName, reason }) => (
            <span>
              <CustomerLink visit={visit} email={payerEmail} name={payerName} />
              {reason && <span class="quiet d-block">{reason}</span>}
            </span>
          ),
        },
        {
          label: 'Answer until',
          cell: (dispute) => (
            <Due {...{ dispute, now }} phase={phaseOf(dispute, now)} zone={visit.zone} />
          ),
        },
        { label: 'Opened', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
      ]}
    />
  )
}

function Nothing({ visit, isFiltered }: { visit: Visit; isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No disputes">
        When a payer disputes a payment at their bank, it appears here with the time to answer.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No disputes found"
      action={
        <a class="btn" href={visit.href(disputesPath)}>
          Remove all filters
        </a>
      }
    >
      Change or remove a filter. The search finds a part of an e-mail address or name, and whole
      references and amounts.
    </EmptyState>
  )
}

const csvPage = definePage({
  path: `${disputesPath}.csv`,
  operation: exportDisputes,
  async show(visit) {
    const pieces = await visit.run(exportDisputes, readQuery(visit).wanted)
    const today = localDay(visit.context.clock.now(), visit.zone)
    return { status: 200, headers: csvHeaders(`disputes-${today}.csv`), pieces }
  },
})

export const disputesPages = [...listPage, ...csvPage]
