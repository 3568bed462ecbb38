// The cash-flow statement of a period, against another, or month by month.
import { reportCashFlow } from '../../books/reports/get-cash-flow.ts'
import { reportCashFlowByMonth } from '../../books/reports/get-cash-flow-by-month.ts'
import { monthsOf, type Period } from '../../books/reports/report-days.ts'
import { zeroDecimal } from '../../kernel/money/decimal.ts'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { ledgerHref } from './general-ledger-page.tsx'
import { chartMonthsMax, ReportChart } from './report-chart.tsx'
import { monthText, periodText, reportsPath } from './report-frame.tsx'
import type { Statement, StatementRow } from './statement.tsx'

type Data = Awaited<ReturnType<typeof reportCashFlow.run>>['data']
type Months = Awaited<ReturnType<typeof reportCashFlowByMonth.run>>['data']['columns']
type Column = Period & {
  readonly title: string
  readonly sections: Data['sections']
  readonly totals: Omit<Data['totals'], 'comparison'>
  readonly cash: Data['cash']
}
type Report = Period & {
  readonly currency: string
  readonly columns: readonly Column[]
  // For the chart; empty for a period of one month or of very many.
  readonly months: Months
}

export const cashFlowPages = defineReport<Report>({
  name: 'cash-flow',
  title: 'Cash flow',
  operation: reportCashFlow,
  isCompared: true,
  hasMonths: true,
  async read(visit, { from, to, compare, recordedOn, isMonthly }) {
    const { data, ...period } = await visit.run(reportCashFlow, {
      ...{ from, to, recordedOn },
      compare: isMonthly ? undefined : compare,
    })
    const count = monthsOf(period).length
    const hasMonths = isMonthly || (count > 1 && count <= chartMonthsMax)
    const byMonth = hasMonths
      ? (await visit.run(reportCashFlowByMonth, { ...period, recordedOn })).data.columns
      : []
    const months = byMonth.slice(0, -1)
    const columns = isMonthly
      ? byMonth.map((one, index) => ({
          ...one,
          title: index < months.length ? monthText(one) : 'Total',
        }))
      : [{ ...period, ...data, title: periodText(period) }, ...comparedColumn(data)]
    return { ...period, currency: data.currency, months, columns }
  },
  lead: (report) => `${periodText(report)}, from profit to cash`,
  chart: ({ months, currency }) =>
    months.length < 2 ? undefined : (
      <ReportChart
        label="Cash from each activity by month"
        currency={currency}
        series={['Operating', 'Investing', 'Financing']}
        groups={months.map((month) => ({
          label: monthText(month),
          values: month.sections.map(({ total }) => total),
        }))}
      />
    ),
  statements: (visit, report) => [statementOf(visit, report)],
  note:
    'Cash is the money on bank accounts and in petty cash, as on the balance sheet. Money that the ' +
    'payment service still holds counts once it is paid out.',
})

function comparedColumn({ comparison, sections, totals, cash }: Data): Column[] {
  if (!comparison || !totals.comparison) return []
  return [
    {
      ...comparison,
      title: periodText(comparison),
      sections: sections.map((section) => ({
        ...section,
        total: section.comparison?.total ?? zeroDecimal,
        rows: section.rows.map((row) => ({
          ...row,
          amount: row.comparison?.amount ?? zeroDecimal,
        })),
      })),
      totals: totals.comparison,
      cash: cash.map((account) => ({
        ...account,
        opening: account.comparison?.opening ?? zeroDecimal,
        closing: account.comparison?.closing ?? zeroDecimal,
      })),
    },
  ]
}

const sectionLabels = {
  operating: 'Operating activities',
  investing: 'Investing activities',
  financing: 'Financing activities',
} as const
type SectionKey = keyof typeof sectionLabels
const sectionKeys = Object.keys(sectionLabels) as SectionKey[]

function statementOf(visit: Visit, report: Report): Statement {
  const { currency, columns } = report
  const total = (
    key: 'change' | 'opening' | 'closing' | 'rate_effect',
    label: string,
    look: 'line' | 'total' | 'result',
  ): StatementRow => ({ id: key, look, label, figures: columns.map(({ totals }) => totals[key]) })
  const hasRateEffect = columns.some(({ totals }) => totals.rate_effect.digits !== 0n)
  return {
    caption: `Cash flow, ${periodText(report)}`,
    currency,
    columns: columns.map(({ title }) => title),
    rows: [
      ...sectionKeys.flatMap((key) => sectionRows(visit, report, key)),
      ...(hasRateEffect ? [total('rate_effect', 'Effect of exchange rates on cash', 'line')] : []),
      total('change', 'Change of cash', 'result'),
      { id: 'cash', look: 'heading', label: 'Cash', figures: [] },
      total('opening', 'At the start', 'total'),
      ...cashRows(visit, report),
      total('closing', 'At the end', 'result'),
    ],
  }
}

type Row = Data['sections'][number]['rows'][number]
const idOf = ({ account_id, name }: Pick<Row, 'account_id' | 'name'>) => account_id ?? name

// The rows of every column, since an account may move in some months only.
function sectionRows(visit: Visit, { columns, ...report }: Report, key: SectionKey) {
  const sections = columns.map((column) => ({
    period: { from: column.from, to: column.to },
    section: column.sections.find((one) => one.key === key),
  }))
  const rows = new Map(
    sections.flatMap(({ section }) =>
      (section?.rows ?? []).map((row) => [idOf(row), row] as const),
    ),
  )
  if (rows.size === 0) return []
  const label = sectionLabels[key]
  return [
    { id: key, look: 'heading', label, figures: [] },
    ...[...rows.values()].map(
      (row): StatementRow => ({
        id: `${key} ${idOf(row)}`,
        look: 'line',
        code: row.code,
        label: row.name,
        href: hrefOf(visit, report, row),
        hrefs: sections.map(({ period }) => hrefOf(visit, period, row)),
        figures: sections.map(
          ({ section }) =>
            section?.rows.find((one) => idOf(one) === idOf(row))?.amount ?? zeroDecimal,
        ),
      }),
    ),
    {
      id: `${key} total`,
      look: 'total',
      label: `Cash from ${label.toLowerCase()}`,
      figures: sections.map(({ section }) => section?.total),
    },
  ] satisfies StatementRow[]
}

function cashRows(visit: Visit, { columns, ...report }: Report): StatementRow[] {
  const accounts = new Map(
    columns.flatMap(({ cash }) => cash.map((account) => [account.account_id, account] as const)),
  )
  return [...accounts.values()].map(({ account_id, code, name }) => ({
    id: `cash ${account_id}`,
    look: 'line',
    code,
    label: name,
    href: ledgerHref(visit, account_id, report),
    hrefs: columns.map((column) => ledgerHref(visit, account_id, column)),
    figures: columns.map(
      ({ cash }) => cash.find((one) => one.account_id === account_id)?.closing ?? zeroDecimal,
    ),
  }))
}

function hrefOf(visit: Visit, { from, to }: Period, { account_id, name }: Row) {
  if (account_id) return ledgerHref(visit, account_id, { from, to })
  return name === 'Net profit'
    ? visit.href(`${reportsPath}/profit-and-loss`, { from, to })
    : undefined
}
