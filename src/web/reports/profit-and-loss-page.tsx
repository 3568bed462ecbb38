// Profit and loss of a period, against another, or month by month.
import { reportProfitAndLoss } from '../../books/reports/get-profit-and-loss.ts'
import { reportProfitByMonth } from '../../books/reports/get-profit-by-month.ts'
import { monthsOf, type Period } from '../../books/reports/report-days.ts'
import { add, zeroDecimal } from '../../kernel/money/decimal.ts'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { ledgerHref } from './general-ledger-page.tsx'
import { chartMonthsMax, ReportChart } from './report-chart.tsx'
import { monthText, periodText } from './report-frame.tsx'
import type { Statement, StatementRow } from './statement.tsx'

type Months = Awaited<ReturnType<typeof reportProfitByMonth.run>>
type Column = Omit<Months['data']['whole'], 'totals'> & {
  readonly totals: Omit<Months['data']['whole']['totals'], 'comparison'>
}
type Report = Period & {
  readonly currency: string
  // What the table shows, each in its own column.
  readonly columns: readonly (Column & { readonly title: string })[]
  // For the chart; empty for a period of one month or of very many.
  readonly months: readonly Column[]
}

export const profitAndLossPages = defineReport<Report>({
  name: 'profit-and-loss',
  title: 'Profit and loss',
  operation: reportProfitAndLoss,
  isCompared: true,
  hasMonths: true,
  async read(visit, { from, to, compare, recordedOn, isMonthly }) {
    const { data, ...period } = await visit.run(reportProfitAndLoss, {
      ...{ from, to, recordedOn },
      compare: isMonthly ? undefined : compare,
    })
    const count = monthsOf(period).length
    const hasMonths = isMonthly || (count > 1 && count <= chartMonthsMax)
    const byMonth = hasMonths
      ? (await visit.run(reportProfitByMonth, { ...period, recordedOn })).data
      : undefined
    const months = byMonth?.months ?? []
    const columns =
      isMonthly && byMonth
        ? [
            ...months.map((month) => ({ ...month, title: monthText(month) })),
            { ...byMonth.whole, title: 'Total' },
          ]
        : [{ ...period, ...data, title: periodText(period) }, ...comparedColumn(data)]
    return { ...period, currency: data.currency, months, columns }
  },
  lead: (report) => `${periodText(report)}, on the accrual basis`,
  chart: ({ months, currency }) =>
    months.length < 2 ? undefined : (
      <ReportChart
        label="Income and costs by month"
        currency={currency}
        series={['Income', 'Costs and expenses', 'Net profit']}
        groups={months.map((month) => ({
          label: monthText(month),
          values: [
            add(month.totals.income, month.totals.other_income),
            add(month.totals.cost_of_sales, month.totals.expenses),
            month.totals.net_profit,
          ],
        }))}
      />
    ),
  statements: (visit, report) => [statementOf(visit, report)],
})

type Data = Awaited<ReturnType<typeof reportProfitAndLoss.run>>['data']

function comparedColumn({ comparison, sections, totals }: Data) {
  if (!comparison || !totals.comparison) return []
  return [
    {
      ...comparison,
      title: periodText(comparison),
      sections: sections.map((section) => ({
        ...section,
        total: section.comparison?.total ?? zeroDecimal,
        accounts: section.accounts.map((account) => ({
          ...account,
          amount: account.comparison?.amount ?? zeroDecimal,
        })),
      })),
      totals: totals.comparison,
    },
  ]
}

const sectionLabels = {
  income: 'Income',
  cost_of_sales: 'Cost of sales',
  other_income: 'Other income',
  expenses: 'Expenses',
} as const
type SectionKey = keyof typeof sectionLabels

function statementOf(visit: Visit, report: Report): Statement {
  const { currency, columns } = report
  const result = (key: 'gross_profit' | 'net_profit', label: string): StatementRow => ({
    id: key,
    look: 'result',
    label,
    figures: columns.map(({ totals }) => totals[key]),
  })
  return {
    caption: `Profit and loss, ${periodText(report)}`,
    currency,
    columns: columns.map(({ title }) => title),
    rows: [
      ...sectionRows(visit, report, 'income'),
      ...sectionRows(visit, report, 'cost_of_sales'),
      result('gross_profit', 'Gross profit'),
      ...sectionRows(visit, report, 'other_income'),
      ...sectionRows(visit, report, 'expenses'),
      result('net_profit', 'Net profit'),
    ],
  }
}

function sectionRows(visit: Visit, report: Report, key: SectionKey): StatementRow[] {
  const sections = report.columns.map((column) => ({
    period: { from: column.from, to: column.to },
    section: column.sections.find((one) => one.key === key),
  }))
  const accounts = new Map(
    sections.flatMap(({ section }) =>
      (section?.accounts ?? []).map((account) => [account.account_id, account] as const),
    ),
  )
  if (accounts.size === 0) return []
  const label = sectionLabels[key]
  const sorted = [...accounts.values()].sort((one, other) => (one.code < other.code ? -1 : 1))
  return [
    { id: `${key}-heading`, look: 'heading', label, figures: [] },
    ...sorted.map(({ account_id, code, name }): StatementRow => {
      const figures = sections.map(
        ({ section }) =>
          section?.accounts.find((one) => one.account_id === account_id)?.amount ?? zeroDecimal,
      )
      return {
        id: account_id,
        look: 'line',
        code,
        label: name,
        href: ledgerHref(visit, account_id, report),
        hrefs: sections.map(({ period }) => ledgerHref(visit, account_id, period)),
        figures,
      }
    }),
    {
      id: `${key}-total`,
      look: 'total',
      label: `Total ${label.toLowerCase()}`,
      figures: sections.map(({ section }) => section?.total),
    },
  ]
}
