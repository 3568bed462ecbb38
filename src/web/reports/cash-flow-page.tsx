import { reportCashFlow } from '../../books/reports/get-cash-flow.ts'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { ledgerHref } from './general-ledger-page.tsx'
import { periodText, reportsPath } from './report-frame.tsx'
import type { Statement, StatementRow } from './statement.tsx'

type Report = Awaited<ReturnType<typeof reportCashFlow.run>>

export const cashFlowPages = defineReport<Report>({
  name: 'cash-flow',
  title: 'Cash flow',
  operation: reportCashFlow,
  isCompared: true,
  read: (visit, { from, to, compare, recordedOn }) =>
    visit.run(reportCashFlow, { from, to, compare, recordedOn }),
  lead: (report) => `${periodText(report)}, from profit to cash`,
  statements: (visit, report) => [statementOf(visit, report)],
  note:
    'Cash is the money on bank accounts and in petty cash, as on the balance sheet. Money that the ' +
    'payment service still holds counts once it is paid out.',
})

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
