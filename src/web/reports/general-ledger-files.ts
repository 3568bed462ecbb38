// All lines of an account in a period, as PDF and as CSV. The page shows them a hundred at a time.
import { reportRowsMax } from '../../books/reports/draw-report.ts'
import { reportGeneralLedger } from '../../books/reports/list-general-ledger.ts'
import { csvHeaders, csvLine, csvLineEnd } from '../../kernel/http/csv.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, toText } from '../../kernel/money/decimal.ts'
import { formatDay } from '../components/day.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { ledgerLead, ledgerPath, wantedLines } from './general-ledger-page.tsx'
import { pdfAnswer, printedFigure } from './report-pdf.ts'

type Page = Awaited<ReturnType<typeof reportGeneralLedger.run>>
type Line = Page['data']['lines'][number]

const pageSize = 1000

export const generalLedgerFiles: AppRoute[] = [
  ...definePage({
    path: `${ledgerPath}/:account/pdf`,
    operation: reportGeneralLedger,
    async show(visit) {
      const first = await readPage(visit)
      const lines: Line[] = []
      for await (const page of pagesFrom(visit, first)) {
        lines.push(...page)
        if (lines.length > reportRowsMax) break
      }
      const { account, currency, opening, closing } = first.data
      const text = (figure: Decimal) => printedFigure(figure, currency)
      const isZero = ({ digits }: Decimal) => digits === 0n
      const end = (label: string, balance: Decimal) =>
        ({ look: 'total', cells: ['', '', label, '', '', text(balance)] }) as const
      return pdfAnswer(visit, fileNameOf(first), {
        title: `${account.code} ${account.name}`,
        lead: `General ledger, ${ledgerLead(visit, first)}`,
        currency,
        tables: [
          {
            heading: null,
            columns: [
              { label: 'Entry', kind: 'text' },
              { label: 'Date', kind: 'text' },
              { label: 'Description', kind: 'rest' },
              { label: 'Debit', kind: 'figure' },
              { label: 'Credit', kind: 'figure' },
              { label: 'Balance', kind: 'figure' },
            ],
            rows: [
              end('Opening balance', opening),
              ...lines.map(
                ({ sequence, date, description, debit, credit, balance }) =>
                  ({
                    look: 'line',
                    cells: [
                      sequence.toString(),
                      formatDay(date),
                      description ?? '',
                      isZero(debit) ? '' : text(debit),
                      isZero(credit) ? '' : text(credit),
                      text(balance),
                    ],
                  }) as const,
              ),
              end('Closing balance', closing),
            ],
          },
        ],
        note: null,
      })
    },
  }),
  ...definePage({
    path: `${ledgerPath}/:account/csv`,
    operation: reportGeneralLedger,
    async show(visit) {
      // Read before the answer begins, so that a wrong address is refused.
      const first = await readPage(visit)
      return {
        status: 200,
        headers: csvHeaders(`${fileNameOf(first)}.csv`),
        pieces: writeCsv(first.data.currency, pagesFrom(visit, first)),
      }
    },
  }),
]

function readPage(visit: Visit, after?: string): Promise<Page> {
  return visit.run(reportGeneralLedger, { ...wantedLines(visit), limit: pageSize, after })
}

async function* pagesFrom(visit: Visit, first: Page): AsyncIterable<readonly Line[]> {
  let page = first
  while (true) {
    yield page.data.lines
    if (page.data.next === null) return
    page = await readPage(visit, page.data.next)
  }
}

async function* writeCsv(
  currency: string,
  pages: AsyncIterable<readonly Line[]>,
): AsyncIterable<string> {
  const { decimals } = currencyOf(currency)
  const amounts = ['Debit', 'Credit', 'Balance'].map((name) => `${name} (${currency})`)
  yield csvLine(['Entry', 'Date', 'Description', ...amounts])
  for await (const lines of pages) {
    yield lines
      .map(({ sequence, date, description, debit, credit, balance }) => {
        // Figures are numbers that we computed: a quoted -5 would no longer be one.
        const figures = [debit, credit, balance].map((figure) => toText(figure, decimals))
        const texts = csvLine([sequence.toString(), date, description ?? '']).trimEnd()
        return `${texts},${figures.join(',')}${csvLineEnd}`
      })
      .join('')
  }
}

function fileNameOf({ from, to, data }: Page): string {
  // A header takes few letters, and an account may have any.
  const code = data.account.code.replaceAll(/[^\w.-]+/g, '_')
  return `general-ledger-${code}-${from}-to-${to}`
}
