import type { sheetGroups } from '../../books/reports/balance-sheet.ts'
import { reportBalanceSheet } from '../../books/reports/get-balance-sheet.ts'
import { formatDay } from '../components/day.tsx'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { balanceHref } from './general-ledger-page.tsx'
import type { Statement, StatementRow } from './statement.tsx'

type Report = Awaited<ReturnType<typeof reportBalanceSheet.run>>

export const balanceSheetPages = defineReport<Report>({
  name: 'balance-sheet',
  title: 'Balance sheet',
  operation: reportBalanceSheet,
  isOfDay: true,
  isCompared: true,
  read: (visit, { asOf, compare, recordedOn }) =>
    visit.run(reportBalanceSheet, { asOf, compare, recordedOn }),
  lead: ({ as_of }) => `On ${formatDay(as_of)}`,
  statements: (visit, report) => [statementOf(visit, report)],
})

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
            href: account.account_id ? balanceHref(visit, account.account_id, as_of) : undefined,
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
