// The tax report: what was charged and paid in a period by tax and component, how that explains the
// tax accounts, and closing the period once it is reported.
import { reportTax } from '../../books/reports/get-tax-report.ts'
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
import { periodText, reportsPath } from './report-frame.tsx'
import type { Statement, StatementRow } from './statement.tsx'

export const taxReportPath = `${reportsPath}/tax`

type Report = Awaited<ReturnType<typeof reportTax.run>>

const pages = defineReport<Report>({
  name: 'tax',
  title: 'Tax report',
  operation: reportTax,
  read: (visit, { from, to, recordedOn }) => visit.run(reportTax, { from, to, recordedOn }),
  lead: (report) => periodText(report),
  actions: (visit, report) => <Closing visit={visit} report={report} />,
  empty: ({ data }) =>
    data.accounts.length > 0 || data.sections.some(({ codes }) => codes.length > 0) ? undefined : (
      <EmptyState title="No tax in this period">
        Taxes on the lines of invoices, bills and claims appear here when they are posted.
      </EmptyState>
    ),
  statements: (visit, report) => [taxStatement(visit, report), accountStatement(visit, report)],
  note:
    'The report explains your tax accounts. Payments to the tax office and journals without a tax ' +
    'are other postings.',
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
              recorded_on: visit.query.get('recorded_on') ?? undefined,
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
