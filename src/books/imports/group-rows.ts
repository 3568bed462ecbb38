// Objects of several rows: those with the same text in one column belong together.
import type { CsvRow } from './csv-table.ts'
import { CellProblem } from './import.ts'

const textOf = ({ cells }: CsvRow, column: string) => cells[column] || undefined

export type Rows = readonly [CsvRow, ...CsvRow[]]

export function groupRows(rows: readonly CsvRow[], column: string): Rows[] {
  const groups = new Map<string, [CsvRow, ...CsvRow[]]>()
  for (const row of rows) {
    // Rows without one are refused one by one.
    const key = textOf(row, column) ?? `row ${row.number}`
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

// Later rows can repeat what is about the whole object or leave it out, but not contradict it.
export function requireOneHead(
  [head, ...rest]: Rows,
  columns: readonly string[],
  what: string,
): void {
  for (const row of rest) {
    for (const column of columns) {
      const text = textOf(row, column)
      if (text === undefined || text === textOf(head, column)) continue
      throw new CellProblem(row, column, `Differs from row ${head.number} of the same ${what}.`)
    }
  }
}
