import { reportProfitAndLoss } from '../../books/reports/get-profit-and-loss.ts'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { ledgerHref } from './general-ledger-page.tsx'
import {
  comparisonOf,
  csvAnswer,
  dayOf,
  periodText,
  ReportDays,
  ReportHeader,
  readCalendar,
  reportsPath,
} from './report-frame.tsx'
import { type Statement, type StatementRow, StatementTable } from './statement.tsx'

const path = `${reportsPath}/profit-and-loss`

type Report = Awaited<ReturnType<typeof reportProfitAndLoss.run>>

function readReport(visit: Visit): Promise<Report> {
  return visit.run(reportProfitAndLoss, {
    from: dayOf(visit, 'from'),
    to: dayOf(visit, 'to'),
    compare: comparisonOf(visit),
  })
}

const page = definePage({
  path,
  operation: reportProfitAndLoss,
  async show(visit) {
    const [report, { periods }] = await Promise.all([readReport(visit), readCalendar(visit)])
    const { from, to } = report
    const compare = comparisonOf(visit)
    return {
      title: 'Profit and loss',
      content: (
        <>
          <ReportHeader
            visit={visit}
            title="Profit and loss"
            lead={`${periodText(report)}, on the accrual basis`}
            csvHref={visit.href(`${path}.csv`, { from, to, compare })}
          />
          <ReportDays
            visit={visit}
            path={path}
            days={{ from, to }}
            choices={periods}
            compare={compare}
            isCompared
          />
          <StatementTable {...statementOf(visit, report)} />
        </>
      ),
    }
  },
})

const csv = definePage({
  path: `${path}.csv`,
  operation: reportProfitAndLoss,
  async show(visit) {
    const report = await readReport(visit)
    const name = `profit-and-loss-${report.from}-to-${report.to}`
    return csvAnswer(name, statementOf(visit, report))
  },
})

export const profitAndLossPages = [...page, ...csv]

const sectionLabels = {
  income: 'Income',
  cost_of_sales: 'Cost of sales',
  other_income: 'Other income',
  expenses: 'Expenses',
} as const

function statementOf(visit: Visit, report: Report): Statement {
  const { currency, comparison, sections, totals } = report.data
  const result = (key: 'gross_profit' | 'net_profit', label: string) =>
    ({
      id: key,
      look: 'result',
      label,
      figures: [totals[key], totals.comparison?.[key]],
    }) as const
  const rowsOf = (key: keyof typeof sectionLabels): StatementRow[] => {
    const section = sections.find((one) => one.key === key)
    if (!section || section.accounts.length === 0) return []
    const label = sectionLabels[key]
    return [
      { id: `${key}-heading`, look: 'heading', label, figures: [] },
      ...section.accounts.map(
        (account): StatementRow => ({
          id: account.account_id,
          look: 'line',
          code: account.code,
          label: account.name,
          href: ledgerHref(visit, account.account_id, report),
          figures: [account.amount, account.comparison?.amount],
        }),
      ),
      {
        id: `${key}-total`,
        look: 'total',
        label: `Total ${label.toLowerCase()}`,
        figures: [section.total, section.comparison?.total],
      },
    ]
  }
  return {
    caption: `Profit and loss, ${periodText(report)}`,
    currency,
    columns: [periodText(report), ...(comparison ? [periodText(comparison)] : [])],
    rows: [
      ...rowsOf('income'),
      ...rowsOf('cost_of_sales'),
      result('gross_profit', 'Gross profit'),
      ...rowsOf('other_income'),
      ...rowsOf('expenses'),
      result('net_profit', 'Net profit'),
    ],
  }
}
