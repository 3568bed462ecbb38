// A journal entry as text for ledger, hledger and beancount. Amounts have all decimals of their
// currency; a foreign line states its total cost in the base currency, as in `333.33 USD @@ 310.00
// EUR`, where the cost has no sign.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import type { Account } from '../accounts/account.ts'
import { firstBookDay } from '../input/day-input.ts'
import type { JournalLine, StoredEntry } from '../journal/journal-entry.ts'
import { accountNames } from './account-names.ts'

export const exportFormats = ['ledger', 'hledger', 'beancount'] as const
export type ExportFormat = (typeof exportFormats)[number]

export type TextWriter = {
  header(title: string, firstDate: string | null, currencies: readonly string[]): string
  entry(entry: StoredEntry): string
}

export function textWriter(
  format: ExportFormat,
  accounts: readonly Account[],
  baseCurrency: string,
): TextWriter {
  const names = accountNames(accounts)
  const nameOf = (id: string) => assertDefined(names.get(id), 'a line on an unknown account')
  const write = (line: JournalLine) =>
    postings(line, baseCurrency).map((amount) => ({
      amount,
      name: nameOf(line.accountId),
      note: line.description,
    }))
  return {
    header: (title, firstDate, currencies) =>
      headers[format](title, [...names.values()], firstDate, currencies, baseCurrency),
    entry(entry) {
      const lines = entry.lines.flatMap(write)
      return format === 'beancount' ? beancountEntry(entry, lines) : ledgerEntry(entry, lines)
    },
  }
}

type Posting = { readonly name: string; readonly amount: string; readonly note: string | null }

function ledgerEntry(entry: StoredEntry, lines: readonly Posting[]): string {
  const text = [
    `${writtenDate(entry.date)} * (${entry.sequence}) ${payeeText(entry.description)}`,
    ...factsOf(entry).map(([name, value]) => `    ; ${name}: ${value}`),
    ...lines.map(
      ({ name, amount, note }) => `    ${name}  ${amount}${note ? `  ; ${noteText(note)}` : ''}`,
    ),
  ]
  return `${text.join('\n')}\n\n`
}

function beancountEntry(entry: StoredEntry, lines: readonly Posting[]): string {
  const text = [
    `${writtenDate(entry.date)} * ${quoted(entry.description)}`,
    `  sequence: ${quoted(String(entry.sequence))}`,
    ...factsOf(entry).map(([name, value]) => `  ${name}: ${quoted(value)}`),
    ...lines.flatMap(({ name, amount, note }) => [
      `  ${name}  ${amount}`,
      ...(note ? [`    note: ${quoted(note)}`] : []),
    ]),
  ]
  return `${text.join('\n')}\n\n`
}

function factsOf({ kind, sourceId, date }: StoredEntry): (readonly [string, string])[] {
  const isMoved = writtenDate(date) !== date
  return [['kind', kind], ['source', sourceId], ...(isMoved ? [['dated', date] as const] : [])]
}

// Earlier versions accepted a year such as 1026, with which `ledger` refuses the whole journal.
function writtenDate(date: string): string {
  return date < firstBookDay ? firstBookDay : date
}

// One amount, except for a line whose two amounts have opposite signs: the foreign one then costs
// nothing, and its book value is a separate posting.
function postings(line: JournalLine, baseCurrency: string): string[] {
  const { currency, amountMinor, baseMinor } = line
  const base = amountText(baseMinor, baseCurrency)
  if (currency === baseCurrency || amountMinor === 0n) return [base]
  const amount = amountText(amountMinor, currency)
  if (amountMinor > 0n === baseMinor > 0n || baseMinor === 0n) {
    return [`${amount} @@ ${amountText(baseMinor < 0n ? -baseMinor : baseMinor, baseCurrency)}`]
  }
  return [`${amount} @@ ${amountText(0n, baseCurrency)}`, base]
}

function amountText(minor: bigint, code: string): string {
  const { decimals } = currencyOf(code)
  return `${majorText(minor, decimals)} ${code}`
}

type Header = (
  title: string,
  names: readonly string[],
  firstDate: string | null,
  currencies: readonly string[],
  baseCurrency: string,
) => string

const headers: Readonly<Record<ExportFormat, Header>> = {
  ledger: (title, names, _, currencies) =>
    block([
      `; ${noteText(title)}`,
      ...currencies.map((code) => `commodity ${code}`),
      ...names.map((name) => `account ${name}`),
    ]),
  // The example amount shows the number of decimals and the decimal point.
  hledger: (title, names, _, currencies) =>
    block([
      `; ${noteText(title)}`,
      ...currencies.map((code) => `commodity ${exampleAmount(code)}`),
      ...names.map((name) => `account ${name}`),
    ]),
  beancount: (title, names, firstDate, currencies, baseCurrency) =>
    block([
      `option "title" ${quoted(title)}`,
      `option "operating_currency" ${quoted(baseCurrency)}`,
      `option "inferred_tolerance_default" ${quoted(tolerance(baseCurrency))}`,
      ...currencies.map((code) => `${writtenDate(firstDate ?? '1970-01-01')} commodity ${code}`),
      ...names.map((name) => `${writtenDate(firstDate ?? '1970-01-01')} open ${name}`),
    ]),
}

// beancount divides a total cost by the units and multiplies again, which leaves a difference in
// the 26th decimal. It allows for one only where a line is in the base currency. A hundredth of a
// minor unit is far above that difference, and far below any error.
function tolerance(baseCurrency: string): string {
  const { decimals } = currencyOf(baseCurrency)
  return `${baseCurrency}:0.${'0'.repeat(decimals + 1)}1`
}

// The point must be there even if nothing follows it.
function exampleAmount(code: string): string {
  const { decimals } = currencyOf(code)
  return `1000.${'0'.repeat(decimals)} ${code}`
}

function block(lines: readonly string[]): string {
  return `${lines.join('\n')}\n\n`
}

// Characters with a meaning in ledger or hledger are written in their full-width forms, which look
// alike and have none. In a payee they start a comment or a note; in a note a date (`[2019/01/01]`)
// or a tag (`date:2019-01-01`, `value:: 1/0`).
const fullWidth: ReadonlyMap<string, string> = new Map([
  [';', '；'],
  ['|', '｜'],
  ['[', '［'],
  [']', '］'],
  [':', '：'],
])

function payeeText(text: string): string {
  return oneLine(text).replaceAll(/[;|]/g, (sign) => fullWidth.get(sign) ?? sign)
}

function noteText(text: string): string {
  return oneLine(text).replaceAll(/[;|[\]:]/g, (sign) => fullWidth.get(sign) ?? sign)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

function quoted(text: string): string {
  return `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
