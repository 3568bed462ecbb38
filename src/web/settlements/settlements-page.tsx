// What settled in a period, with sums per currency, and the same as CSV.
import { csvHeaders } from '../../kernel/http/csv.ts'
import { TextField } from '../../kernel/web/form.tsx'
import {
  getSettlementSummary,
  newestMax,
} from '../../merchant/settlements/get-settlement-summary.ts'
import { listSettlements } from '../../merchant/settlements/list-settlements.ts'
import { netSettledMinor, type Settlement } from '../../merchant/settlements/settlement.ts'
import type { SettledTotal } from '../../merchant/settlements/settlement-totals.ts'
import { writeSettlementsCsv } from '../../merchant/settlements/write-settlements.ts'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/settlements'

function wantedDays({ query }: Visit) {
  return { from: query.get('from') || undefined, to: query.get('to') || undefined }
}

const listPage = definePage({
  path,
  operation: getSettlementSummary,
  async show(visit) {
    const summary = await visit.run(getSettlementSummary, wantedDays(visit))
    const { from, to, totals, newest } = summary
    return {
      title: 'Settlements',
      content: (
        <>
          <PageHeader
            title="Settlements"
            lead="Payments whose money the provider has made available, in UTC days."
            actions={
              <a class="btn" href={visit.href(`${path}.csv`, { from, to })} data-turbo="false">
                Download CSV
              </a>
            }
          />
          <form class="filter-bar" method="get">
            <TextField name="from" label="From" type="date" value={from} />
            <TextField name="to" label="To" type="date" value={to} />
            <button class="btn mb-3" type="submit">
              Show
            </button>
          </form>
          {totals.length === 0 ? (
            <EmptyState title="Nothing settled in this period">
              Choose other days. The provider settles a payment some time after it was paid.
            </EmptyState>
          ) : (
            <div class="stack">
              <TotalsTable totals={totals} />
              <SettlementTable visit={visit} settlements={newest} />
            </div>
          )}
        </>
      ),
    }
  },
})

function TotalsTable({ totals }: { totals: readonly SettledTotal[] }) {
  const money = (label: string, minor: (total: SettledTotal) => bigint) => ({
    label,
    isNumber: true,
    cell: (total: SettledTotal) => <Money minor={minor(total)} currency={total.currency} />,
  })
  return (
    <Table
      caption="Sums per currency"
      rows={totals}
      keyOf={({ currency }) => currency}
      columns={[
        { label: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
        { label: 'Payments', isNumber: true, cell: ({ count }) => count },
        money('Gross', ({ grossMinor }) => grossMinor),
        money('Fees', ({ feeMinor }) => feeMinor),
        money('Shares', ({ splitMinor }) => splitMinor),
        money('Refunded', ({ refundedMinor }) => refundedMinor),
        money('Net settled', netSettledMinor),
      ]}
    />
  )
}

type TableProps = { visit: Visit; settlements: readonly Settlement[] }

function SettlementTable({ visit, settlements }: TableProps) {
  return (
    <section>
      <h2>Newest {settlements.length === newestMax ? newestMax : ''} settlements</h2>
      <Table
        caption="Settlements"
        rows={settlements}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => visit.href(`/payments/${id}`)}
        columns={[
          {
            label: 'Gross',
            cell: ({ grossMinor, currency }) => <Money minor={grossMinor} currency={currency} />,
          },
          {
            label: 'Settled',
            cell: ({ settledAtUtc }) => <Moment at={new Date(settledAtUtc)} zone={visit.zone} />,
          },
          {
            label: 'Fee',
            isNumber: true,
            cell: ({ feeMinor, currency }) => <Money minor={feeMinor} currency={currency} />,
          },
          {
            label: 'Net',
            isNumber: true,
            cell: ({ netMinor, currency }) => <Money minor={netMinor} currency={currency} />,
          },
        ]}
      />
    </section>
  )
}

const csvPage = definePage({
  path: `${path}.csv`,
  operation: listSettlements,
  async show(visit) {
    const wanted = { ...wantedDays(visit), isExported: true }
    const { from, to, pages } = await visit.run(listSettlements, wanted)
    return {
      status: 200,
      headers: csvHeaders(`settlements-${from}-to-${to}.csv`),
      pieces: writeSettlementsCsv(pages),
    }
  },
})

export const settlementsPages = [...listPage, ...csvPage]
