// A report as a table: headings, accounts and totals in one or more columns of figures. The page
// and the CSV are both made from it. The figures of an account lead to the lines that make them.

import { csvLine } from '../../kernel/http/csv.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { type Decimal, toText } from '../../kernel/money/decimal.ts'
import { formatNumber } from '../components/locale.ts'

export type StatementRow = {
  readonly id: string
  readonly look: 'heading' | 'line' | 'part' | 'total' | 'result'
  readonly code?: string | null
  readonly label: string
  // Where the row leads, such as the account's general ledger.
  readonly href?: string | undefined
  // Where each figure leads, if not all lead where the row does.
  readonly hrefs?: readonly (string | undefined)[]
  // One per column; undefined stays empty.
  readonly figures: readonly (Decimal | undefined)[]
}

export type Statement = {
  // Above the table, if the page has several.
  readonly heading?: string
  readonly caption: string
  readonly currency: string
  readonly columns: readonly string[]
  readonly rows: readonly StatementRow[]
}

export function StatementTable({ heading, caption, currency, columns, rows }: Statement) {
  return (
    <>
      {heading && <h2 class="mt-4">{heading}</h2>}
      <StatementCard caption={caption} currency={currency} columns={columns} rows={rows} />
    </>
  )
}

function StatementCard({ caption, currency, columns, rows }: Statement) {
  return (
    <div class="card table-card">
      <table class="statement">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="statement-column">
              {currency}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" class="statement-column statement-number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} class={`statement-${row.look}`}>
              <th scope="row" class="statement-label">
                <RowLabel {...row} />
              </th>
              {columns.map((column, index) => (
                <td key={column} class="statement-figure">
                  <Figure
                    of={row.figures[index]}
                    currency={currency}
                    href={row.hrefs?.[index] ?? row.href}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RowLabel({ code, label, href }: StatementRow) {
  const text = code ? `${code} ${label}` : label
  return href ? (
    <a class="statement-link" href={href}>
      {text}
    </a>
  ) : (
    text
  )
}

type FigureProps = { of: Decimal | undefined; currency: string; href: string | undefined }

function Figure({ of, currency, href }: FigureProps) {
  if (of === undefined) return null
  const figure = <FigureText of={of} currency={currency} />
  return href ? (
    <a class="statement-link" href={href}>
      {figure}
    </a>
  ) : (
    figure
  )
}

export function FigureText({ of, currency }: { of: Decimal; currency: string }) {
  const text = toText(of, currencyOf(currency).decimals)
  return (
    <data class="money" value={text}>
      {formatNumber(text)}
    </data>
  )
}

export function statementCsv({ currency, columns, rows }: Statement): string {
  const { decimals } = currencyOf(currency)
  const lines = rows.map(({ code, label, figures }) => {
    const cells = columns.map((_, index) => {
      const figure = figures[index]
      return figure === undefined ? '' : toText(figure, decimals)
    })
    // Figures are numbers that we computed: a quoted -5 would no longer be one.
    return `${csvLine([code ?? '', label]).trimEnd()},${cells.join(',')}\r\n`
  })
  return (
    csvLine(['Code', 'Name', ...columns.map((column) => `${column} (${currency})`)]) +
    lines.join('')
  )
}
