// The taxes of one or more periods as a table. A period has the columns of net and tax; by month,
// the tax alone.

import type { reportTax } from '../../books/reports/get-tax-report.ts'
import type { reportTaxByMonth } from '../../books/reports/get-tax-report-by-month.ts'
import type { Period } from '../../books/reports/report-days.ts'
import { taxLabel } from '../../books/taxes/tax-label.ts'
import { zeroDecimal } from '../../kernel/money/decimal.ts'
import type { Visit } from '../shell/visit.ts'
import { monthText, periodText, reportsPath } from './report-frame.tsx'
import type { Statement, StatementRow } from './statement.tsx'

export const taxReportPath = `${reportsPath}/tax`

export type TaxData = Awaited<ReturnType<typeof reportTax.run>>['data']
export type TaxColumn = Awaited<ReturnType<typeof reportTaxByMonth.run>>['data']['columns'][number]

export type TaxReport = Period & {
  readonly data: TaxData
  // Net and tax of each, or the tax of each month and of the whole.
  readonly columns: readonly TaxColumn[]
  readonly isMonthly: boolean
  // For the chart.
  readonly months: readonly TaxColumn[]
}

const sectionLabels = {
  sales: 'Tax on sales',
  purchases: 'Tax on purchases',
  manual: 'Manual journals',
} as const
type SectionKey = keyof typeof sectionLabels
const sectionKeys = Object.keys(sectionLabels) as SectionKey[]

type Amounts = {
  readonly net?: TaxColumn['totals']['paid'] | undefined
  readonly tax: TaxColumn['totals']['paid'] | undefined
}

export function taxStatement(visit: Visit, report: TaxReport): Statement {
  const { columns, data } = report
  const payable = columns.map(({ totals }) => ({ tax: totals.payable }))
  const isRefund = data.totals.payable.digits < 0n
  return {
    caption: `Tax report, ${periodText(report)}`,
    currency: data.currency,
    columns: titlesOf(report),
    rows: [
      ...sectionKeys.flatMap((key) => sectionRows(visit, report, key)),
      {
        id: 'payable',
        look: 'result',
        label: isRefund ? 'Tax to get back' : 'Tax to pay',
        figures: figuresOf(report, payable),
      },
    ],
  }
}

function titlesOf({ columns, isMonthly }: TaxReport): string[] {
  if (isMonthly) {
    const last = columns.length - 1
    return columns.map((column, index) => (index < last ? monthText(column) : 'Total'))
  }
  const [, ...compared] = columns
  return [
    'Net',
    'Tax',
    ...compared.flatMap((one) => [`Net, ${periodText(one)}`, `Tax, ${periodText(one)}`]),
  ]
}

function figuresOf({ isMonthly }: TaxReport, amounts: readonly Amounts[]) {
  return amounts.flatMap(({ net, tax }) => (isMonthly ? [tax] : [net, tax]))
}

type Code = TaxColumn['sections'][number]['codes'][number]
const idOf = ({ tax_code_id, is_write_off }: Code) => `${tax_code_id} ${is_write_off}`

// The taxes of every column, since one may be used in some months only.
function sectionRows(visit: Visit, report: TaxReport, key: SectionKey): StatementRow[] {
  const sections = report.columns.map((column) => ({
    period: { from: column.from, to: column.to },
    section: column.sections.find((one) => one.key === key),
  }))
  const codes = new Map(
    sections.flatMap(({ section }) =>
      (section?.codes ?? []).map((code) => [idOf(code), code] as const),
    ),
  )
  if (codes.size === 0) return []
  const label = sectionLabels[key]
  return [
    { id: key, look: 'heading', label, figures: [] },
    ...[...codes.values()].flatMap((code) => codeRows(visit, report, key, sections, code)),
    {
      id: `${key} total`,
      look: 'total',
      label: `Total ${label.toLowerCase()}`,
      figures: figuresOf(
        report,
        sections.map(({ section }) => ({ net: section?.net, tax: section?.tax })),
      ),
    },
  ]
}

type SectionColumn = {
  readonly period: Period
  readonly section: TaxColumn['sections'][number] | undefined
}

function codeRows(
  visit: Visit,
  report: TaxReport,
  key: SectionKey,
  sections: readonly SectionColumn[],
  code: Code,
): StatementRow[] {
  const id = `${key} ${idOf(code)}`
  const own = sections.map(({ section }) => section?.codes.find((one) => idOf(one) === idOf(code)))
  const hrefIn = ({ from, to }: Period) =>
    visit.href(`${taxReportPath}/${code.tax_code_id}`, {
      ...{ from, to, section: key },
      recorded_on: visit.query.get('recorded_on') ?? undefined,
    })
  const amounts = own.map((one) => ({
    net: code.is_write_off ? undefined : (one?.net ?? zeroDecimal),
    tax: one?.tax ?? zeroDecimal,
  }))
  const parts = code.components.length > 1 ? code.components : []
  return [
    {
      id,
      look: 'line',
      label: code.is_write_off ? `${code.name}, written off` : code.name,
      href: hrefIn(report),
      hrefs: sections.flatMap(({ period }) =>
        report.isMonthly ? [hrefIn(period)] : [hrefIn(period), hrefIn(period)],
      ),
      figures: figuresOf(report, amounts),
    },
    ...parts.map(
      ({ name, rate }, index): StatementRow => ({
        id: `${id} ${index}`,
        look: 'part',
        label: taxLabel(name, rate),
        figures: figuresOf(
          report,
          own.map((one) => ({ tax: one?.components[index]?.tax ?? zeroDecimal })),
        ),
      }),
    ),
  ]
}
