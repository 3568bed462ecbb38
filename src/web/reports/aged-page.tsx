// Aged receivables and payables: what is open on a day, by how long it is overdue, per contact with
// each document below it.
import type { AgedSide } from '../../books/reports/aged.ts'
import { reportAged } from '../../books/reports/get-aged-report.ts'
import { formatDay } from '../components/day.tsx'
import { EmptyState } from '../components/table.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import {
  csvAnswer,
  dayOf,
  ReportDays,
  ReportHeader,
  readCalendar,
  reportsPath,
} from './report-frame.tsx'
import { type Statement, type StatementRow, StatementTable } from './statement.tsx'

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
  const path = `${reportsPath}/aged-${side}`
  const read = (visit: Visit) => visit.run(reportAged, { side, asOf: dayOf(visit, 'as_of') })
  const page = definePage({
    path,
    operation: reportAged,
    async show(visit) {
      const [report, { days }] = await Promise.all([read(visit), readCalendar(visit)])
      const { as_of, data } = report
      return {
        title: titles[side],
        content: (
          <>
            <ReportHeader
              visit={visit}
              title={titles[side]}
              lead={`Open on ${formatDay(as_of)}, by days overdue`}
              csvHref={visit.href(`${path}.csv`, { as_of })}
            />
            <ReportDays
              visit={visit}
              path={path}
              days={{ as_of }}
              choices={days.map(({ label, value }) => ({ label, value: { as_of: value } }))}
            />
            {data.contacts.length === 0 ? (
              <EmptyState title="Nothing is open">
                {side === 'receivables'
                  ? 'No customer owed you anything on this day.'
                  : 'You owed no supplier anything on this day.'}
              </EmptyState>
            ) : (
              <StatementTable {...statementOf(visit, side, report)} />
            )}
          </>
        ),
      }
    },
  })
  const csv = definePage({
    path: `${path}.csv`,
    operation: reportAged,
    async show(visit) {
      const report = await read(visit)
      return csvAnswer(`aged-${side}-${report.as_of}`, statementOf(visit, side, report))
    },
  })
  return [...page, ...csv]
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
