import { reportCashFlow } from '../../books/reports/get-cash-flow.ts'
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

const path = `${reportsPath}/cash-flow`

type Report = Awaited<ReturnType<typeof reportCashFlow.run>>

function readReport(visit: Visit): Promise<Report> {
  return visit.run(reportCashFlow, {
    from: dayOf(visit, 'from'),
    to: dayOf(visit, 'to'),
    compare: comparisonOf(visit),
  })
}

const page = definePage({
  path,
  operation: reportCashFlow,
  async show(visit) {
    const [report, { periods }] = await Promise.all([readReport(visit), readCalendar(visit)])
    const { from, to } = report
    const compare = comparisonOf(visit)
    return {
      title: 'Cash flow',
      content: (
        <>
          <ReportHeader
            visit={visit}
            title="Cash flow"
            lead={`${periodText(report)}, from profit to cash`}
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
          <p class="quiet">
            Cash is the money on bank accounts and in petty cash, as on the balance sheet. Money
            that the payment service still holds counts once it is paid out.
          </p>
        </>
      ),
    }
  },
})

const csv = definePage({
  path: `${path}.csv`,
  operation: reportCashFlow,
  async show(visit) {
    const report = await readReport(visit)
    return csvAnswer(`cash-flow-${report.from}-to-${report.to}`, statementOf(visit, report))
  },
})

export const cashFlowPages = [...page, ...csv]

const sectionLabels = {
  operating: 'Operating activities',
  investing: 'Investing activities',
  financing: 'Financing activities',
} as const

function statementOf(visit: Visit, report: Report): Statement {
  const { currency, comparison, sections, totals, cash } = report.data
  const rows = sections.flatMap((section): StatementRow[] => {
    if (section.rows.length === 0) return []
    const label = sectionLabels[section.key]
    return [
      { id: section.key, look: 'heading', label, figures: [] },
      ...section.rows.map(
        (row): StatementRow => ({
          id: `${section.key} ${row.account_id ?? row.name}`,
          look: 'line',
          code: row.code,
          label: row.name,
          href: hrefOf(visit, report, row),
          figures: [row.amount, row.comparison?.amount],
        }),
      ),
      {
        id: `${section.key} total`,
        look: 'total',
        label: `Cash from ${label.toLowerCase()}`,
        figures: [section.total, section.comparison?.total],
      },
    ]
  })
  const total = (
    key: 'change' | 'opening' | 'closing' | 'rate_effect',
    label: string,
    look: 'line' | 'total' | 'result',
  ): StatementRow => ({
    id: key,
    look,
    label,
    figures: [totals[key], totals.comparison?.[key]],
  })
  const isMoved = (effect: typeof totals.rate_effect | undefined) =>
    effect !== undefined && effect.digits !== 0n
  const hasRateEffect = isMoved(totals.rate_effect) || isMoved(totals.comparison?.rate_effect)
  return {
    caption: `Cash flow, ${periodText(report)}`,
    currency,
    columns: [periodText(report), ...(comparison ? [periodText(comparison)] : [])],
    rows: [
      ...rows,
      ...(hasRateEffect ? [total('rate_effect', 'Effect of exchange rates on cash', 'line')] : []),
      total('change', 'Change of cash', 'result'),
      { id: 'cash', look: 'heading', label: 'Cash', figures: [] },
      total('opening', 'At the start', 'total'),
      ...cash.map(
        (account): StatementRow => ({
          id: `cash ${account.account_id}`,
          look: 'line',
          code: account.code,
          label: account.name,
          href: ledgerHref(visit, account.account_id, report),
          figures: [account.closing, account.comparison?.closing],
        }),
      ),
      total('closing', 'At the end', 'result'),
    ],
  }
}

type Row = Report['data']['sections'][number]['rows'][number]

function hrefOf(visit: Visit, { from, to }: Report, { account_id, name }: Row) {
  if (account_id) return ledgerHref(visit, account_id, { from, to })
  return name === 'Net profit'
    ? visit.href(`${reportsPath}/profit-and-loss`, { from, to })
    : undefined
}
