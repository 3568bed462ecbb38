// The statement of a contact as PDF, in the language of the contact.
import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { ContactStatement, StatementLine } from '../contacts/get-contact-statement.ts'
import type { BooksContext } from '../context.ts'
import { fileName } from '../documents/document-snapshot.ts'
import type { PrintedRow, PrintedTable, PrintedWords } from '../documents/pdf/printed-report.ts'
import { drawReport } from '../reports/draw-report.ts'

export type StatementFile = { readonly filename: string; readonly content: Uint8Array }

export async function drawStatement(
  context: BooksContext,
  { businessId, environment }: Tenant,
  statement: ContactStatement,
  language: PayerLanguage,
): Promise<StatementFile> {
  const { contact, from, to, currencies } = statement
  const { statement: words } = language.texts
  const content = await drawReport(
    context,
    { businessId, environment },
    {
      title: words.titleOf(contact.name),
      lead: words.period(language.day(from), language.day(to)),
      factsOn: (day) => [words.asOf(language.day(day))],
      tables: currencies.map((one) => tableOf(one, statement, language)),
      note: currencies.length === 0 ? words.nothing : null,
      words: printedWords(environment, language),
    },
  )
  return { filename: fileName(`${words.file}-${from}-${to}`), content }
}

function printedWords(
  environment: Environment,
  { code, texts: { statement, receiptPage } }: PayerLanguage,
): PrintedWords {
  return {
    language: code,
    warning: environment === 'test' ? statement.sandbox : '',
    page: receiptPage.page,
    continued: receiptPage.continued,
    taxNumber: statement.taxNumber,
  }
}

type Currency = ContactStatement['currencies'][number]

function tableOf(
  { currency, openingMinor, closingMinor, lines }: Currency,
  { from, to }: ContactStatement,
  language: PayerLanguage,
): PrintedTable {
  const { statement: words } = language.texts
  const { decimals } = currencyOf(currency)
  const amount = (minor: bigint) => language.number(majorText(minor, decimals))
  const end = (day: string, label: string, minor: bigint): PrintedRow => ({
    look: 'total',
    cells: [language.day(day), label, '', '', amount(minor)],
  })
  return {
    heading: currency,
    columns: [
      { label: words.date, kind: 'text' },
      { label: words.what, kind: 'rest' },
      { label: words.charged, kind: 'figure' },
      { label: words.settled, kind: 'figure' },
      { label: words.balance, kind: 'figure' },
    ],
    rows: [
      end(from, words.opening, openingMinor),
      ...lines.map(
        (line): PrintedRow => ({
          look: 'line',
          cells: [
            language.day(line.date),
            lineText(line, language),
            line.amountMinor > 0n ? amount(line.amountMinor) : '',
            line.amountMinor < 0n ? amount(-line.amountMinor) : '',
            amount(line.balanceMinor),
          ],
        }),
      ),
      end(to, words.closing, closingMinor),
    ],
  }
}

function lineText(
  { documentKind, number, reference, kind }: StatementLine,
  language: PayerLanguage,
) {
  const { kinds } = language.texts.statement
  const isPayment = kind.startsWith('payment.')
  const name = documentKind ? kinds[documentKind] : isPayment ? kinds.payment : kinds.other
  const end = kind.endsWith('.voided') ? ` (${kinds.voided})` : ''
  return [name, number ?? reference].filter(Boolean).join(' ') + end
}
