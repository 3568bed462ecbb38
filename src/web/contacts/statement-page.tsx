// The statement of a contact: for any period, to read, to print and as CSV.
import type {
  ContactStatement,
  CurrencyStatement,
  StatementLine,
} from '../../books/contacts/get-contact-statement.ts'
import { getContactStatement } from '../../books/contacts/get-contact-statement.ts'
import type { Period } from '../../books/reports/report-days.ts'
import { sendStatement } from '../../books/statements/send-statement.ts'
import { csvHeaders, csvLine } from '../../kernel/http/csv.ts'
import { typedAmount } from '../components/amount-field.ts'
import { Day } from '../components/day.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { paperHref } from '../documents/document-place.ts'
import { entryKindText } from '../journal/entry-kind.ts'
import { dayOf, periodText, ReportDays, readCalendar } from '../reports/report-frame.tsx'
import { type AppRoute, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { statementFiles } from './statement-files.tsx'

const path = '/contacts/:id/statement'

function readStatement(visit: Visit): Promise<ContactStatement> {
  const period = { from: dayOf(visit, 'from'), to: dayOf(visit, 'to') }
  return visit.run(getContactStatement, { id: visit.param('id'), ...period })
}

const page = definePage({
  path,
  operation: getContactStatement,
  async show(visit) {
    const [statement, { periods }] = await Promise.all([readStatement(visit), readCalendar(visit)])
    const { contact, from, to, currencies } = statement
    const own = `/contacts/${contact.id}`
    const title = `Statement of ${contact.name}`
    return {
      title,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(own), text: contact.name }}
            title={title}
            lead={periodText(statement)}
            actions={
              <>
                <a
                  class="btn"
                  href={visit.href(`${own}/statement.csv`, { from, to })}
                  data-turbo="false"
                >
                  Download CSV
                </a>
                <a
                  class="btn"
                  href={visit.href(`${own}/statement.pdf`, { from, to })}
                  data-turbo="false"
                >
                  Download PDF
                </a>
                {visit.may(sendStatement) && (
                  <a
                    class="btn btn-primary"
                    href={visit.href(`${own}/statement/send`, { from, to })}
                  >
                    Send by mail
                  </a>
                )}
              </>
            }
          />
          <p class="print-head">
            {visit.membership.businessName}: {title}, {periodText(statement)}
          </p>
          <ReportDays
            visit={visit}
            path={`${own}/statement`}
            days={{ from, to }}
            choices={periods}
          />
          {currencies.length === 0 && (
            <EmptyState title="Nothing in this period">
              Nothing was open, and nothing was booked with this contact.
            </EmptyState>
          )}
          {currencies.map((one) => (
            <section key={one.currency} class="mb-4 sparse-table">
              {currencies.length > 1 && <h2>{one.currency}</h2>}
              <StatementTable visit={visit} period={statement} statement={one} />
            </section>
          ))}
        </>
      ),
    }
  },
})

// The opening and closing balance are rows without an entry.
type EndRow = { readonly date: string; readonly label: string; readonly balanceMinor: bigint }
type Row = EndRow | StatementLine

type TableProps = { visit: Visit; period: Period; statement: CurrencyStatement }

function StatementTable({ visit, period, statement }: TableProps) {
  const { currency, closingMinor } = statement
  const money = (minor: bigint) => <Money minor={minor} currency={currency} />
  const change = (row: Row, sign: bigint) =>
    'label' in row || row.amountMinor * sign < 0n ? '' : money(row.amountMinor * sign)
  return (
    <>
      <Table<Row>
        caption={`Statement in ${currency}`}
        rows={rowsOf(period, statement)}
        keyOf={(row) => ('label' in row ? row.label : row.sequence.toString())}
        columns={[
          { label: 'Date', cell: ({ date }) => <Day of={date} /> },
          { label: 'What', cell: (row) => <What visit={visit} row={row} /> },
          { label: 'Reference', cell: (row) => ('label' in row ? '' : (row.reference ?? '')) },
          { label: 'Debit', isNumber: true, cell: (row) => change(row, 1n) },
          { label: 'Credit', isNumber: true, cell: (row) => change(row, -1n) },
          {
            label: 'Balance',
            isNumber: true,
            cell: (row) =>
              'label' in row ? <strong>{money(row.balanceMinor)}</strong> : money(row.balanceMinor),
          },
        ]}
      />
      <p class="mt-3">
        {closingMinor === 0n ? (
          'Nothing is open at the end.'
        ) : (
          <>
            {closingMinor > 0n ? 'They owe you ' : 'You owe them '}
            <strong>{money(closingMinor > 0n ? closingMinor : -closingMinor)}</strong>.
          </>
        )}
      </p>
    </>
  )
}

function rowsOf({ from, to }: Period, statement: CurrencyStatement): Row[] {
  const { openingMinor, lines, closingMinor } = statement
  return [
    { date: from, label: 'Opening balance', balanceMinor: openingMinor },
    ...lines,
    { date: to, label: 'Closing balance', balanceMinor: closingMinor },
  ]
}

// Leads to the document, and otherwise to the journal entry.
function What({ visit, row }: { visit: Visit; row: Row }) {
  if ('label' in row) return <strong>{row.label}</strong>
  const { sequence, sourceId, documentKind } = row
  const href = documentKind
    ? paperHref(visit, { kind: documentKind, id: sourceId })
    : visit.href(`/journal/${sequence}`)
  return <a href={href}>{lineText(row)}</a>
}

function lineText({ kind, number }: StatementLine): string {
  const text = entryKindText(kind)
  return number === null ? text : `${text}: ${number}`
}

const csvPage = definePage({
  path: `${path}.csv`,
  operation: getContactStatement,
  async show(visit) {
    const statement = await readStatement(visit)
    const { from, to, currencies } = statement
    const head = ['Currency', 'Date', 'What', 'Reference', 'Due', 'Amount', 'Balance', 'Entry']
    const lines = currencies.flatMap((one) =>
      rowsOf(statement, one).map((row) => csvRow(one.currency, row)),
    )
    return {
      status: 200,
      headers: csvHeaders(`statement-${from}-to-${to}.csv`),
      body: csvLine(head) + lines.join(''),
    }
  },
})

// Amounts are numbers that we computed: a quoted -5 would no longer be one.
function csvRow(currency: string, row: Row): string {
  const balance = typedAmount(row.balanceMinor, currency)
  if ('label' in row)
    return `${csvLine([currency, row.date, row.label, '', '']).trimEnd()},,${balance},\r\n`
  const texts = [currency, row.date, lineText(row), row.reference ?? '', row.dueDate ?? '']
  const figures = [typedAmount(row.amountMinor, currency), balance, row.sequence]
  return `${csvLine(texts).trimEnd()},${figures.join(',')}\r\n`
}

export const statementPages: AppRoute[] = [...page, ...csvPage, ...statementFiles]
