// A report as PDF: the statements of its page as text, in the locale of the business.
import type { PrintedTable } from '../../books/documents/pdf/printed-report.ts'
import { drawReport, type ReportContent } from '../../books/reports/draw-report.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, toText } from '../../kernel/money/decimal.ts'
import type { PageAnswer } from '../../kernel/web/page.ts'
import { formatDay } from '../components/day.tsx'
import { formatNumber } from '../components/locale.ts'
import type { Visit } from '../shell/visit.ts'
import type { Statement } from './statement.tsx'

type PdfContent = Omit<ReportContent, 'factsOn'> & { readonly currency: string }

export async function pdfAnswer(
  { context, actor, request }: Visit,
  name: string,
  { currency, ...content }: PdfContent,
): Promise<PageAnswer> {
  const factsOn = (day: string) => [
    'Accrual basis',
    `Amounts in ${currency}`,
    `Printed on ${formatDay(day)}`,
  ]
  return {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${name}.pdf"`,
    },
    body: await drawReport(context, actor, { ...content, factsOn }, request.signal),
  }
}

export function printedStatement({ heading, currency, columns, rows }: Statement): PrintedTable {
  return {
    heading: heading ?? null,
    columns: [
      { label: currency, kind: 'rest' },
      ...columns.map((label) => ({ label, kind: 'figure' }) as const),
    ],
    rows: rows.map(({ look, code, label, figures }) => ({
      look,
      cells: [
        code ? `${code} ${label}` : label,
        ...columns.map((_, index) => printedFigure(figures[index], currency)),
      ],
    })),
  }
}

export function printedFigure(figure: Decimal | undefined, currency: string): string {
  return figure === undefined ? '' : formatNumber(toText(figure, currencyOf(currency).decimals))
}
