// CSV as spreadsheets save it: RFC 4180, with or without a byte order mark, parted by commas,
// semicolons or tabs, lines ended by LF or CR LF. The first row names the columns.
import { invalid } from '../../kernel/basics/fault.ts'

export type CsvRow = {
  // As a person counts them in a spreadsheet: the head is row 1.
  readonly number: number
  readonly cells: Readonly<Record<string, string>>
}

export type CsvTable = {
  readonly columns: readonly string[]
  // Each as it is written in the file, for whoever looks for it there.
  readonly headings: readonly string[]
  readonly rows: readonly CsvRow[]
}

const rowsMax = 10_000

export function readCsv(bytes: Uint8Array): CsvTable {
  const [head, ...rest] = parseRecords(decode(bytes))
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
    throw invalid(`The file has ${rows.length} rows; at most ${rowsMax} are taken at once.`)
  }
  return { columns, headings, rows }
}

function requireDistinct(columns: readonly string[], headings: readonly string[]): void {
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index)
  if (repeated === undefined) return
  const same = new Set(headings.filter((_, index) => columns[index] === repeated))
  throw invalid(`Two columns are named ${[...same].join(' or ') || '(nothing)'}.`)
}

function decode(bytes: Uint8Array): string {
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

// Whichever of them parts the head into the most cells.
function separatorOf(text: string): string {
  const end = text.search(/[\r\n]/)
  const head = end < 0 ? text : text.slice(0, end)
  const counts = separators.map((separator) => head.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

type Cell = { readonly cell: string; readonly next: number }

function parseRecords(text: string): string[][] {
  const separator = separatorOf(text)
  const records: string[][] = []
  let record: string[] = []
  let position = 0
  while (position < text.length) {
    const isQuoted = text[position] === '"'
    const { cell, next } = isQuoted
      ? quotedCell(text, position)
      : plainCell(text, position, separator)
    record.push(cell)
    const end = text[next]
    if (end === separator) {
      position = next + 1
      // Behind the last separator of the text stands one more cell, an empty one.
      if (position === text.length) record.push('')
      continue
    }
    if (end !== undefined && end !== '\n' && end !== '\r') {
      throw invalid(`Row ${records.length + 1}: there is text behind a closing quote.`)
    }
    records.push(record)
    record = []
    position = next + (end === '\r' && text[next + 1] === '\n' ? 2 : 1)
  }
  if (record.length > 0) records.push(record)
  return records
}

function plainCell(text: string, start: number, separator: string): Cell {
  let next = start
  while (next < text.length) {
    const character = text.charAt(next)
    if (character === separator || character === '\n' || character === '\r') break
    next += 1
  }
  return { cell: text.slice(start, next), next }
}

function quotedCell(text: string, start: number): Cell {
  let cell = ''
  let position = start + 1
  for (;;) {
    const quote = text.indexOf('"', position)
    if (quote < 0) throw invalid('A quote is opened and never closed.')
    cell += text.slice(position, quote)
    if (text[quote + 1] !== '"') return { cell, next: quote + 1 }
    cell += '"'
    position = quote + 2
  }
}
