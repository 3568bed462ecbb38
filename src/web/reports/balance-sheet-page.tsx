// The balance sheet of a day, against another, or at the ends of the months before it.
import type { sheetGroups } from '../../books/reports/balance-sheet.ts'
import { reportBalanceSheet } from '../../books/reports/get-balance-sheet.ts'
import { reportBalanceSheetByMonth } from '../../books/reports/get-balance-sheet-by-month.ts'
import { zeroDecimal } from '../../kernel/money/decimal.ts'
import { formatDay } from '../components/day.tsx'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { balanceHref } from './general-ledger-page.tsx'
import { ReportChart } from './report-chart.tsx'
import { monthText } from './report-frame.tsx'
import type { Statement, StatementRow } from './statement.tsx'

type Data = Awaited<ReturnType<typeof reportBalanceSheet.run>>['data']
type Months = Awaited<ReturnType<typeof reportBalanceSheetByMonth.run>>['data']['months']
type Column = Pick<Months[number], 'as_of' | 'assets' | 'liabilities' | 'equity'>
type Report = {
  readonly as_of: string
  readonly currency: string
  readonly columns: readonly Column[]
  // For the chart.
  readonly months: Months
}

export const balanceSheetPages = defineReport<Report>({
  name: 'balance-sheet',
  title: 'Balance sheet',
  operation: reportBalanceSheet,
  isOfDay: true,
  isCompared: true,
  hasMonths: true,
  async read(visit, { asOf, compare, recordedOn, isMonthly }) {
    const wanted = { asOf, recordedOn }
    const [{ as_of, data }, byMonth] = await Promise.all([
      visit.run(reportBalanceSheet, { ...wanted, compare: isMonthly ? undefined : compare }),
      visit.run(reportBalanceSheetByMonth, wanted),
    ])
    const { currency, months } = byMonth.data
    const columns = isMonthly ? months : [{ as_of, ...data }, ...comparedColumn(data)]
    return { as_of, currency, columns, months }
  },
  lead: ({ as_of }) => `On ${formatDay(as_of)}`,
  chart: ({ months, currency }) => (
    <ReportChart
      label="Assets, liabilities and equity at the end of each month"
      currency={currency}
      series={['Assets', 'Liabilities', 'Equity']}
      groups={months.map(({ as_of, assets, liabilities, equity }) => ({
        label: monthText({ from: as_of }),
        values: [assets.total, liabilities.total, equity.total],
      }))}
    />
  ),
  statements: (visit, report) => [statementOf(visit, report)],
})

function comparedColumn(data: Data): Column[] {
  const { comparison } = data
  if (!comparison) return []
  const sectionOf = (key: (typeof sectionKeys)[number]) => {
    const section = data[key]
    return {
      total: section.comparison?.total ?? zeroDecimal,
      groups: section.groups.map((group) => ({
        ...group,
        total: group.comparison?.total ?? zeroDecimal,
        accounts: group.accounts.map((account) => ({
          ...account,
          amount: account.comparison?.amount ?? zeroDecimal,
        })),
      })),
    }
  }
  return [
    {
      as_of: comparison.as_of,
      assets: sectionOf('assets'),
      liabilities: sectionOf('liabilities'),
      equity: sectionOf('equity'),
    },
  ]
}

const sectionLabels = { assets: 'Assets', liabilities: 'Liabilities', equity: 'Equity' } as const
const sectionKeys = ['assets', 'liabilities', 'equity'] as const

const groupLabels: Readonly<Record<string, string>> = {
  current_assets: 'Current assets',
  fixed_assets: 'Fixed assets',
  non_current_assets: 'Non-current assets',
  current_liabilities: 'Current liabilities',
  non_current_liabilities: 'Non-current liabilities',
  share_capital: 'Share capital',
  other_equity: 'Other equity',
  retained_earnings: 'Retained earnings',
  current_year_earnings: 'Profit of this year',
}

function statementOf(visit: Visit, report: Report): Statement {
  const { as_of, currency, columns } = report
  const rowsOf = (key: keyof typeof sheetGroups): StatementRow[] => [
    { id: key, look: 'heading', label: sectionLabels[key], figures: [] },
    ...(columns[0]?.[key].groups ?? []).flatMap((group) =>
      groupRows(visit, report, key, group.key),
    ),
    {
      id: `${key}-result`,
      look: 'result',
      label: `Total ${sectionLabels[key].toLowerCase()}`,
      figures: columns.map((column) => column[key].total),
    },
  ]
  return {
    caption: `Balance sheet on ${formatDay(as_of)}`,
    currency,
    columns: columns.map((column) => formatDay(column.as_of)),
    rows: sectionKeys.flatMap(rowsOf),
  }
}

// The accounts of every column, since one may have a balance in some months only.
function groupRows(
  visit: Visit,
  { as_of, columns }: Report,
  section: keyof typeof sheetGroups,
  key: string,
): StatementRow[] {
  const groups = columns.map((column) => ({
    day: column.as_of,
    group: column[section].groups.find((one) => one.key === key),
  }))
  const idOf = (account: { account_id: string | null; name: string }) =>
    account.account_id ?? account.name
  const accounts = new Map(
    groups.flatMap(({ group }) =>
      (group?.accounts ?? []).map((account) => [idOf(account), account] as const),
    ),
  )
  if (accounts.size === 0) return []
  const sorted = [...accounts.values()].sort((one, other) =>
    (one.code ?? '~') < (other.code ?? '~') ? -1 : 1,
  )
  return [
    ...sorted.map(({ account_id, code, name }): StatementRow => {
      const id = idOf({ account_id, name })
      return {
        id,
        look: 'line',
        code,
        label: name,
        ...(account_id && {
          href: balanceHref(visit, account_id, as_of),
          hrefs: groups.map(({ day }) => balanceHref(visit, account_id, day)),
        }),
        figures: groups.map(
          ({ group }) => group?.accounts.find((one) => idOf(one) === id)?.amount ?? zeroDecimal,
        ),
      }
    }),
    {
      id: `${key}-total`,
      look: 'total',
      label: groupLabels[key] ?? key,
      figures: groups.map(({ group }) => group?.total),
    },
  ]
}
