// The tax report: what was charged and paid in a period by tax and component, how that explains the
// tax accounts, and closing the period once it is reported.
import { reportTax } from '../../books/reports/get-tax-report.ts'
import { setLockDates } from '../../books/settings/set-lock-dates.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { EmptyState } from '../components/table.tsx'
import { defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { ledgerHref } from './general-ledger-page.tsx'
import {
  csvAnswer,
  dayOf,
  periodText,
  ReportDays,
  ReportHeader,
  readCalendar,
  reportsPath,
} from './report-frame.tsx'
import { type Statement, type StatementRow, StatementTable } from './statement.tsx'

export const taxReportPath = `${reportsPath}/tax`

type Report = Awaited<ReturnType<typeof reportTax.run>>

function readReport(visit: Visit): Promise<Report> {
  return visit.run(reportTax, { from: dayOf(visit, 'from'), to: dayOf(visit, 'to') })
}

const page = definePage({
  path: taxReportPath,
  operation: reportTax,
  async show(visit) {
    const [report, { periods }] = await Promise.all([readReport(visit), readCalendar(visit)])
    const { from, to, data } = report
    const isEmpty = data.sections.every(({ codes }) => codes.length === 0)
    return {
      title: 'Tax report',
      content: (
        <>
          <ReportHeader
            visit={visit}
            title="Tax report"
            lead={periodText(report)}
            csvHref={visit.href(`${taxReportPath}.csv`, { from, to })}
            actions={<Closing visit={visit} report={report} />}
          />
          <ReportDays visit={visit} path={taxReportPath} days={{ from, to }} choices={periods} />
          {isEmpty ? (
            <EmptyState title="No tax in this period">
              Taxes on the lines of invoices, bills and claims appear here when they are posted.
            </EmptyState>
          ) : (
            <StatementTable {...taxStatement(visit, report)} />
          )}
          {data.accounts.length > 0 && (
            <>
              <h2 class="mt-4">Tax accounts</h2>
              <p class="quiet">
                How this report explains your tax accounts. Payments to the tax office and manual
                journals without a tax are other postings.
              </p>
              <StatementTable {...accountStatement(visit, report)} />
            </>
          )}
        </>
      ),
    }
  },
})

function Closing({ visit, report }: { visit: Visit; report: Report }) {
  if (report.data.is_closed) return <Badge tone="good">Closed</Badge>
  if (!visit.may(setLockDates)) return null
  const { from, to } = report
  return (
    <a class="btn btn-primary" href={visit.href(`${taxReportPath}/close`, { from, until: to })}>
      Close this period
    </a>
  )
}

const csv = definePage({
  path: `${taxReportPath}.csv`,
  operation: reportTax,
  async show(visit) {
    const report = await readReport(visit)
    return csvAnswer(`tax-${report.from}-to-${report.to}`, taxStatement(visit, report))
  },
})

const closeForm = defineForm({
  path: `${taxReportPath}/close`,
  operation: setLockDates,
  input: (_visit, form) => ({ softLockedUntil: form.get('until') || null }),
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
            After you have reported the tax, close the period: no one can change its figures by
            posting, voiding or removing something in it. Owners and admins can open it again.
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

export const taxReportPages = [...page, ...csv, ...closeForm]

const sectionLabels = {
  sales: 'Tax on sales',
  purchases: 'Tax on purchases',
  manual: 'Manual journals',
} as const

function taxStatement(visit: Visit, report: Report): Statement {
  const { from, to, data } = report
  const rows = data.sections.flatMap((section): StatementRow[] => {
    if (section.codes.length === 0) return []
    const label = sectionLabels[section.key]
    return [
      { id: section.key, look: 'heading', label, figures: [] },
      ...section.codes.flatMap((code): StatementRow[] => {
        const id = `${section.key} ${code.tax_code_id} ${code.is_write_off}`
        return [
          {
            id,
            look: 'line',
            label: code.is_write_off ? `${code.name}, written off` : code.name,
            href: visit.href(`${taxReportPath}/${code.tax_code_id}`, {
              from,
              to,
              section: section.key,
            }),
            figures: [code.is_write_off ? undefined : code.net, code.tax],
          },
          ...(code.components.length > 1
            ? code.components.map(
                ({ name, rate, tax }, index): StatementRow => ({
                  id: `${id} ${index}`,
                  look: 'part',
                  label: `${name} ${rate} %`,
                  figures: [undefined, tax],
                }),
              )
            : []),
        ]
      }),
      {
        id: `${section.key} total`,
        look: 'total',
        label: `Total ${label.toLowerCase()}`,
        figures: [section.net, section.tax],
      },
    ]
  })
  const isRefund = data.totals.payable.digits < 0n
  return {
    caption: `Tax report, ${periodText(report)}`,
    currency: data.currency,
    columns: ['Net', 'Tax'],
    rows: [
      ...rows,
      {
        id: 'payable',
        look: 'result',
        label: isRefund ? 'Tax to get back' : 'Tax to pay',
        figures: [undefined, data.totals.payable],
      },
    ],
  }
}

function accountStatement(visit: Visit, report: Report): Statement {
  const { data } = report
  return {
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
