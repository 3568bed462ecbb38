// Everything that can be imported.
import { invalid } from '../../kernel/basics/fault.ts'
import { csvLine } from '../../kernel/http/csv.ts'
import type { CsvTable } from './csv-table.ts'
import type { Import, ImportName, ImportOptions, ImportProblem, ImportStep } from './import.ts'
import { accountImport } from './import-accounts.ts'
import { contactImport } from './import-contacts.ts'
import { billImport, invoiceImport } from './import-documents.ts'
import { exchangeRateImport } from './import-exchange-rates.ts'
import { itemImport } from './import-items.ts'
import { journalImport } from './import-journals.ts'
import { openingBalanceImport } from './import-opening-balances.ts'
import { paymentImport } from './import-payments.ts'

const imports: Readonly<Record<ImportName, Import>> = {
  accounts: accountImport,
  contacts: contactImport,
  items: itemImport,
  'opening-balances': openingBalanceImport,
  invoices: invoiceImport,
  bills: billImport,
  payments: paymentImport,
  journals: journalImport,
  'exchange-rates': exchangeRateImport,
}

export function importOf(name: ImportName): Import {
  return imports[name]
}

// The steps of a file whose columns are right. Throws if the file as a whole is wrong.
export function stepsOf(name: ImportName, table: CsvTable, options: ImportOptions): ImportStep[] {
  requireColumns(imports[name], table)
  return imports[name].steps(table.rows, options)
}

// The header and one row, to be filled in with a spreadsheet.
export function importTemplate(name: ImportName): string {
  const { required, optional, example } = importOf(name)
  const columns = [...required, ...optional]
  return csvLine(columns) + csvLine(columns.map((column) => example[column] ?? ''))
}

// Rows that repeat a key. A row alone does not know of it before the other one is saved.
export function repeatedKeys(name: ImportName, { rows }: CsvTable): ImportProblem[] {
  const { key } = importOf(name)
  if (key === undefined) return []
  const seen = new Map<string, number>()
  return rows.flatMap(({ number, cells }) => {
    const text = cells[key] ?? ''
    const first = seen.get(text.toLowerCase())
    if (text === '' || first === undefined) {
      seen.set(text.toLowerCase(), number)
      return []
    }
    return [{ row: number, column: key, message: `${text} is already in row ${first}.` }]
  })
}

// As written in the file; a missing column has its expected name.
export function headingOf({ columns, headings }: CsvTable, column: string | null): string | null {
  if (column === null) return null
  return headings[columns.indexOf(column)] ?? column
}

function requireColumns({ required, optional }: Import, table: CsvTable): void {
  const { columns, headings, rows } = table
  const missing = required.filter((name) => !columns.includes(name))
  const known = [...required, ...optional]
  const unknown = headings.filter((_, index) => !known.includes(columns[index] ?? ''))
  if (missing.length > 0) throw invalid(`These columns are missing: ${missing.join(', ')}.`)
  if (unknown.length > 0) {
    const names = unknown.map((heading) => heading || '(nothing)').join(', ')
    throw invalid(`Unknown columns: ${names}. Known columns: ${known.join(', ')}.`)
  }
  if (rows.length === 0) throw invalid('The file has no rows below the header.')
}
