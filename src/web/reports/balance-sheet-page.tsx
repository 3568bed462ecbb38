import type { sheetGroups } from '../../books/reports/balance-sheet.ts'
import { reportBalanceSheet } from '../../books/reports/get-balance-sheet.ts'
import { formatDay } from '../components/day.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { ledgerHref } from './general-ledger-page.tsx'
import {
  comparisonOf,
  csvAnswer,
  dayOf,
  ReportDays,
  ReportHeader,
  readCalendar,
  reportsPath,
} from './report-frame.tsx'
import { type Statement, type StatementRow, StatementTable } from './statement.tsx'

const path = `${reportsPath}/balance-sheet`

type Report = Awaited<ReturnType<typeof reportBalanceSheet.run>>

function readReport(visit: Visit): Promise<Report> {
  return visit.run(reportBalanceSheet, {
    asOf: dayOf(visit, 'as_of'),
    compare: comparisonOf(visit),
  })
}

const page = definePage({
  path,
  operation: reportBalanceSheet,
  async show(visit) {
    const [report, { days }] = await Promise.all([readReport(visit), readCalendar(visit)])
    const compare = comparisonOf(visit)
    const { as_of } = report
    return {
      title: 'Balance sheet',
      content: (
        <>
          <ReportHeader
            visit={visit}
            title="Balance sheet"
            lead={`On ${formatDay(as_of)}`}
            csvHref={visit.href(`${path}.csv`, { as_of, compare })}
          />
          <ReportDays
            visit={visit}
            path={path}
            days={{ as_of }}
            choices={days.map(({ label, value }) => ({ label, value: { as_of: value } }))}
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
  operation: reportBalanceSheet,
  async show(visit) {
    const report = await readReport(visit)
    return csvAnswer(`balance-sheet-${report.as_of}`, statementOf(visit, report))
  },
})

export const balanceSheetPages = [...page, ...csv]

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

function statementOf(visit: Visit, { as_of, data }: Report): Statement {
  // All lines up to the day make a balance.
  const period = { from: earliest, to: as_of }
  const rowsOf = (key: keyof typeof sheetGroups): StatementRow[] => {
    const section = data[key]
    const groups = section.groups.filter(({ accounts }) => accounts.length > 0)
    return [
      { id: key, look: 'heading', label: sectionLabels[key], figures: [] },
      ...groups.flatMap(({ key: group, accounts, total, comparison }): StatementRow[] => [
        ...accounts.map(
          (account): StatementRow => ({
            id: account.account_id ?? account.name,
            look: 'line',
            code: account.code,
            label: account.name,
            href: account.account_id ? ledgerHref(visit, account.account_id, period) : undefined,
            figures: [account.amount, account.comparison?.amount],
          }),
        ),
        {
          id: `${group}-total`,
          look: 'total',
          label: groupLabels[group] ?? group,
          figures: [total, comparison?.total],
        },
      ]),
      {
        id: `${key}-result`,
        look: 'result',
        label: `Total ${sectionLabels[key].toLowerCase()}`,
        figures: [section.total, section.comparison?.total],
      },
    ]
  }
  const { comparison } = data
  return {
    caption: `Balance sheet on ${formatDay(as_of)}`,
    currency: data.currency,
    columns: [formatDay(as_of), ...(comparison ? [formatDay(comparison.as_of)] : [])],
    rows: sectionKeys.flatMap(rowsOf),
  }
}

const earliest = '1900-01-01'
