import { reportTrialBalance } from '../../books/reports/get-trial-balance.ts'
import { formatDay } from '../components/day.tsx'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { balanceHref, ledgerHref } from './general-ledger-page.tsx'
import type { Statement, StatementRow } from './statement.tsx'

type Report = Awaited<ReturnType<typeof reportTrialBalance.run>>

export const trialBalancePages = defineReport<Report>({
  name: 'trial-balance',
  title: 'Trial balance',
  operation: reportTrialBalance,
  isOfDay: true,
  isCompared: true,
  read: (visit, { asOf, compare, recordedOn }) =>
    visit.run(reportTrialBalance, { asOf, compare, recordedOn }),
  lead: ({ as_of, data }) =>
    `On ${formatDay(as_of)}, fiscal year since ${formatDay(data.fiscal_year_start)}`,
  statements: (visit, report) => [statementOf(visit, report)],
})

function statementOf(visit: Visit, { as_of, data }: Report): Statement {
  const { comparison, accounts, totals, currency, fiscal_year_start } = data
  const columnsOn = (day: string) => [`Debit ${formatDay(day)}`, `Credit ${formatDay(day)}`]
  const hrefOf = (id: string, isOfYear: boolean) =>
    isOfYear
      ? ledgerHref(visit, id, { from: fiscal_year_start, to: as_of })
      : balanceHref(visit, id, as_of)
  const rows = accounts.map(
    (account): StatementRow => ({
      id: account.account_id ?? account.name,
      look: 'line',
      code: account.code,
      label: account.name,
      href: account.account_id
        ? hrefOf(account.account_id, ['income', 'expense'].includes(account.type))
        : undefined,
      figures: [
        account.debit,
        account.credit,
        account.comparison?.debit,
        account.comparison?.credit,
      ],
    }),
  )
  return {
    caption: `Trial balance on ${formatDay(as_of)}`,
    currency,
    columns: [...columnsOn(as_of), ...(comparison ? columnsOn(comparison.as_of) : [])],
    rows: [
      ...rows,
      {
        id: 'total',
        look: 'result',
        label: 'Total',
        figures: [totals.debit, totals.credit, totals.comparison?.debit, totals.comparison?.credit],
      },
    ],
  }
}
