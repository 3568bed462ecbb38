import { reportTrialBalance } from '../../books/reports/get-trial-balance.ts'
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

const path = `${reportsPath}/trial-balance`

type Report = Awaited<ReturnType<typeof reportTrialBalance.run>>

function readReport(visit: Visit): Promise<Report> {
  return visit.run(reportTrialBalance, {
    asOf: dayOf(visit, 'as_of'),
    compare: comparisonOf(visit),
  })
}

const page = definePage({
  path,
  operation: reportTrialBalance,
  async show(visit) {
    const [report, { days }] = await Promise.all([readReport(visit), readCalendar(visit)])
    const compare = comparisonOf(visit)
    const { as_of } = report
    return {
      title: 'Trial balance',
      content: (
        <>
          <ReportHeader
            visit={visit}
            title="Trial balance"
            lead={`On ${formatDay(as_of)}, fiscal year since ${formatDay(report.data.fiscal_year_start)}`}
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
  operation: reportTrialBalance,
  async show(visit) {
    const report = await readReport(visit)
    return csvAnswer(`trial-balance-${report.as_of}`, statementOf(visit, report))
  },
})

export const trialBalancePages = [...page, ...csv]

function statementOf(visit: Visit, { as_of, data }: Report): Statement {
  const { comparison, accounts, totals, currency, fiscal_year_start } = data
  const columnsOn = (day: string) => [`Debit ${formatDay(day)}`, `Credit ${formatDay(day)}`]
  const rows = accounts.map((account): StatementRow => {
    const isOfYear = account.type === 'income' || account.type === 'expense'
    const from = isOfYear ? fiscal_year_start : '1900-01-01'
    return {
      id: account.account_id ?? account.name,
      look: 'line',
      code: account.code,
      label: account.name,
      href: account.account_id
        ? ledgerHref(visit, account.account_id, { from, to: as_of })
        : undefined,
      figures: [
        account.debit,
        account.credit,
        account.comparison?.debit,
        account.comparison?.credit,
      ],
    }
  })
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
