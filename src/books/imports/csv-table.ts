// CSV as spreadsheets save it: RFC 4180, with or without a byte order mark, separated by commas,
// semicolons or tabs, lines ended by LF or CR LF. The first row names the columns.
import { CsvError, type CsvErrorCode, parse } from 'csv-parse/sync'
import { invalid } from '../../kernel/basics/fault.ts'

export type CsvRow = {
  // As in a spreadsheet: the header is row 1.
  readonly number: number
  readonly cells: Readonly<Record<string, string>>
}

export type CsvTable = {
  readonly columns: readonly string[]
  // As written in the file, for messages.
  readonly headings: readonly string[]
  readonly rows: readonly CsvRow[]
}

const rowsMax = 10_000

export function readCsv(bytes: Uint8Array): CsvTable {
  const [head, ...rest] = parseRecords(decodeCsv(bytes))
  if (!head || head.every((cell) => cell.trim() === '')) {
    throw invalid('The file is empty. Its first row must name the columns.')
  }
  const headings = head.map((cell) => cell.trim())
  const columns = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s-]+/g, '_'))
  requireDistinct(columns, headings)
  const rows = rest
    .map((cells, index) => ({ cells, number: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ cells, number }) => rowOf(columns, cells, number))
  if (rows.length > rowsMax) {
    throw invalid(`The file has ${rows.length} rows; at most ${rowsMax} are allowed.`)
  }
  return { columns, headings, rows }
}

function requireDistinct(columns: readonly string[], headings: readonly string[]): void {
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index)
  if (repeated === undefined) return
  const same = new Set(headings.filter((_, index) => columns[index] === repeated))
  throw invalid(`Two columns are named ${[...same].join(' or ') || '(nothing)'}.`)
}

export function decodeCsv(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw invalid('The file is not UTF-8. Save it as "CSV UTF-8" in your spreadsheet.')
  }
}

function rowOf(columns: readonly string[], cells: readonly string[], number: number): CsvRow {
  if (cells.length > columns.length) {
    throw invalid(
      `Row ${number} has ${cells.length} cells, but there are ${columns.length} columns.`,
    )
  }
  return {
    number,
    cells: Object.fromEntries(columns.map((name, index) => [name, (cells[index] ?? '').trim()])),
  }
}

const separators = [',', ';', '\t'] as const

// The one that splits the header into the most cells.
function separatorOf(text: string): string {
  const end = text.search(/[\r\n]/)
  const head = end < 0 ? text : text.slice(0, end)
  const counts = separators.map((separator) => head.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

const problems: Partial<Record<CsvErrorCode, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
}

function parseRecords(text: string, isRelaxed = false): string[][] {
  try {
    return parse(text, {
      delimiter: separatorOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      // Rows can be shorter than the header; `rowOf` refuses longer ones.
      relax_column_count: true,
      relax_quotes: isRelaxed,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // A quote inside an unquoted cell is text, as in 5" pipe. The parser is relaxed only then,
    // since it would also accept text after a closing quote.
    if (error.code === 'INVALID_OPENING_QUOTE' && !isRelaxed) return parseRecords(text, true)
    const done = typeof error.records === 'number' ? error.records : 0
    throw invalid(`Row ${done + 1}: ${problems[error.code] ?? error.message}.`)
  }
}
