// What an import is: a table with known columns whose rows are handed to the same operations that
// people use. All or nothing: every problem of every row is found, and one is enough for nothing to
// be kept.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { BooksContext } from '../context.ts'
import type { CsvRow } from './read-csv.ts'

export type ImportProblem = {
  // As a spreadsheet counts; null where the whole file is meant.
  readonly row: number | null
  readonly column: string | null
  readonly message: string
}

// One thing to be made, and the rows that say how it is to be.
export type ImportStep = {
  readonly rows: readonly CsvRow[]
  // Throws a Fault or a CellProblem for what is wrong with it.
  make(context: BooksContext, actor: Actor): Promise<unknown>
}

export type Import = {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  steps(rows: readonly CsvRow[], options: ImportOptions): ImportStep[]
}

export type ImportOptions = {
  // The day of what has none of its own: opening balances.
  readonly date: string | null
}

// A problem of one cell, found before the operation is asked.
export class CellProblem extends Error {
  readonly row: CsvRow
  readonly column: string

  constructor(row: CsvRow, column: string, message: string) {
    super(message)
    this.name = 'CellProblem'
    this.row = row
    this.column = column
  }
}

export function problemsOf({ rows }: ImportStep, error: unknown): ImportProblem[] {
  if (error instanceof CellProblem) {
    return [{ row: error.row.number, column: error.column, message: error.message }]
  }
  if (!(error instanceof Fault)) throw error
  const row = rows[0]?.number ?? null
  if (typeof error.error === 'string') return [{ row, column: null, message: error.error }]
  const { formErrors, fieldErrors } = error.error
  return [
    ...formErrors.map((message) => ({ row, column: null, message })),
    ...Object.entries(fieldErrors).flatMap(([field, messages]) =>
      messages.map((message) => ({ ...placeOf(rows, field), message })),
    ),
  ]
}

// Operations name their fields `salesAccountId`, or `lines.2.account_id` for what the third row of
// an invoice says. The columns are named likewise, without `id`.
function placeOf(rows: readonly CsvRow[], field: string): Omit<ImportProblem, 'message'> {
  const [, position, ofLine] = /^lines\.(\d+)\.(.+)$/.exec(field) ?? []
  const row = rows[Number(position ?? 0)] ?? rows[0]
  const snake = (ofLine ?? field).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return { row: row?.number ?? null, column: snake.replace(/_id$/, '') }
}
