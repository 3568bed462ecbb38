// The tax report: what was charged and paid in a period by tax and component, how that explains the
// tax accounts, and closing the period once it is reported.
import { reportTax } from '../../books/reports/get-tax-report.ts'
import { reportTaxByMonth } from '../../books/reports/get-tax-report-by-month.ts'
import { monthsOf } from '../../books/reports/report-days.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { setLockDates } from '../../books/settings/set-lock-dates.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { EmptyState } from '../components/table.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { defineReport } from './define-report.tsx'
import { ledgerHref } from './general-ledger-page.tsx'
import { chartMonthsMax, ReportChart } from './report-chart.tsx'
import { monthText, periodText } from './report-frame.tsx'
import type { Statement } from './statement.tsx'
import { type TaxReport, taxReportPath, taxStatement } from './tax-statement.ts'

const pages = defineReport<TaxReport>({
  name: 'tax',
  title: 'Tax report',
  operation: reportTax,
  isCompared: true,
  hasMonths: true,
  async read(visit, { from, to, compare, recordedOn, isMonthly }) {
    const { data, ...period } = await visit.run(reportTax, {
      ...{ from, to, recordedOn },
      compare: isMonthly ? undefined : compare,
    })
    const count = monthsOf(period).length
    const hasMonths = isMonthly || (count > 1 && count <= chartMonthsMax)
    const byMonth = hasMonths
      ? (await visit.run(reportTaxByMonth, { ...period, recordedOn })).data.columns
      : []
    const compared = data.comparison ? [data.comparison] : []
    const columns = isMonthly ? byMonth : [{ ...period, ...data }, ...compared]
    return { ...period, data, columns, isMonthly, months: byMonth.slice(0, -1) }
  },
  lead: (report) => periodText(report),
  chart: ({ months, data }) =>
    months.length < 2 ? undefined : (
      <ReportChart
        label="Tax by month"
        currency={data.currency}
        series={['On sales', 'On purchases', 'To pay']}
        groups={months.map((month) => ({
          label: monthText(month),
          values: [month.totals.collected, month.totals.paid, month.totals.payable],
        }))}
      />
    ),
  actions: (visit, report) => <Closing visit={visit} report={report} />,
  empty: ({ data, columns }) =>
    data.accounts.length > 0 ||
    columns.some(({ sections }) => sections.some(({ codes }) => codes.length > 0)) ? undefined : (
      <EmptyState title="No tax in this period">
        Taxes on the lines of invoices, bills and claims appear here when they are posted.
      </EmptyState>
    ),
  statements: (visit, report) => [taxStatement(visit, report), accountStatement(visit, report)],
  note:
    'The report explains your tax accounts. Payments to the tax office and journals without a tax ' +
    'are other postings.',
})

function Closing({ visit, report }: { visit: Visit; report: TaxReport }) {
  if (report.data.is_closed) return <Badge tone="good">Closed</Badge>
  if (!visit.may(setLockDates)) return null
  const { from, to } = report
  return (
    <a class="btn btn-primary" href={visit.href(`${taxReportPath}/close`, { from, until: to })}>
      Close this period
    </a>
  )
}

const closeForm = defineForm({
  path: `${taxReportPath}/close`,
  operation: setLockDates,
  // It only moves forward: a page that was open for long must not open what others have closed.
  async input(visit, form) {
    const until = form.get('until') ?? ''
    const { softLockedUntil } = await visit.run(getOrganisation, {})
    if (until === '') throw invalidField('until', 'Choose the last day to close.')
    if (softLockedUntil !== null && until < softLockedUntil) {
      throw invalidField('until', `The books are closed up to ${softLockedUntil} already.`)
    }
    return { softLockedUntil: until }
  },
  async show(visit, draft) {
    const from = draft.values.get('from') ?? undefined
    return formPage({
      title: 'Close the period',
      back: {
        href: visit.href(taxReportPath, { from, to: draft.values.get('until') ?? undefined }),
        text: 'Tax report',
      },
      draft,
      submit: 'Close the period',
      children: (
        <>
          <p>
            After you have reported the tax, close the period. From then on only owners and admins
            can post, void or remove something in it, and they can open it again.
          </p>
          <DraftText draft={draft} name="until" label="Closed up to" type="date" />
        </>
      ),
    })
  },
  done: (visit, { softLockedUntil }) => ({
    location: visit.href(taxReportPath, { to: softLockedUntil ?? undefined }),
    message: `The books are closed up to ${softLockedUntil}.`,
  }),
})

export const taxReportPages = [...pages, ...closeForm]

function accountStatement(visit: Visit, report: TaxReport): Statement {
  const { data } = report
  return {
    heading: 'Tax accounts',
    caption: `Tax accounts, ${periodText(report)}`,
    currency: data.currency,
    columns: ['Owed before', 'This report', 'Other postings', 'Owed after'],
    rows: data.accounts.map((account) => ({
      id: account.account_id,
      look: 'line',
      code: account.code,
      label: account.name,
      href: ledgerHref(visit, account.account_id, report),
      figures: [account.opening, account.reported, account.other, account.closing],
    })),
  }
}
