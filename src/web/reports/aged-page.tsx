// Aged receivables and payables: what is open on a day, by how long it is overdue, per contact with
// each document below it.
import type { AgedSide } from '../../books/reports/aged.ts'
import { reportAged } from '../../books/reports/get-aged-report.ts'
import { formatDay } from '../components/day.tsx'
import { EmptyState } from '../components/table.tsx'
import type { AppRoute } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { ReportChart } from './report-chart.tsx'
import type { Statement, StatementRow } from './statement.tsx'

type Report = Awaited<ReturnType<typeof reportAged.run>>

const titles = { receivables: 'Aged receivables', payables: 'Aged payables' } as const
const documentPaths = { receivables: '/invoices', payables: '/bills' } as const

const columns = {
  current: 'Not due',
  days_1_30: '1 to 30 days',
  days_31_60: '31 to 60 days',
  days_61_90: '61 to 90 days',
  days_over_90: 'Over 90 days',
  unapplied: 'Credits',
  total: 'Total',
} as const
type Column = keyof typeof columns
const columnKeys = Object.keys(columns) as Column[]

export const agedPages = [...pagesOf('receivables'), ...pagesOf('payables')]

function pagesOf(side: AgedSide): AppRoute[] {
  return defineReport<Report>({
    name: `aged-${side}`,
    title: titles[side],
    operation: reportAged,
    isOfDay: true,
    read: (visit, { asOf, recordedOn }) => visit.run(reportAged, { side, asOf, recordedOn }),
    lead: ({ as_of }) => `Open on ${formatDay(as_of)}, by days overdue`,
    empty: ({ data }) =>
      data.contacts.length > 0 ? undefined : (
        <EmptyState title="Nothing is open">
          {side === 'receivables'
            ? 'No customer owed you anything on this day.'
            : 'You owed no supplier anything on this day.'}
        </EmptyState>
      ),
    chart: ({ data }) => (
      <ReportChart
        label={`${titles[side]} by days overdue`}
        currency={data.currency}
        series={['Open']}
        groups={columnKeys
          .filter((key) => key !== 'total')
          .map((key) => ({ label: columns[key], values: [data.totals[key]] }))}
      />
    ),
    statements: (visit, report) => [statementOf(visit, side, report)],
  })
}

function statementOf(visit: Visit, side: AgedSide, { as_of, data }: Report): Statement {
  const rows = data.contacts.flatMap((contact): StatementRow[] => [
    {
      id: contact.contact_id,
      look: 'total',
      label: contact.name,
      figures: columnKeys.map((key) => contact[key]),
    },
    ...contact.items.map(
      (item): StatementRow => ({
        id: item.id,
        look: 'line',
        label: `${item.number ?? item.reference ?? 'Payment'}, due ${formatDay(item.due_date)}`,
        href:
          item.source === 'document' ? visit.href(`${documentPaths[side]}/${item.id}`) : undefined,
        figures: columnKeys.map((key) =>
          key === item.bucket || key === 'total' ? item.open_base : undefined,
        ),
      }),
    ),
  ])
  return {
    caption: `${titles[side]} on ${formatDay(as_of)}`,
    currency: data.currency,
    columns: Object.values(columns),
    rows: [
      ...rows,
      {
        id: 'total',
        look: 'result',
        label: 'Total',
        figures: columnKeys.map((key) => data.totals[key]),
      },
    ],
  }
}
