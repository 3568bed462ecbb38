// An import is a table with known columns. The same functions create its rows as those that people
// enter. All or nothing: all problems of all rows are found, and with one problem nothing is saved.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import type { CsvRow } from './csv-table.ts'

// Those that are started as a whole and can be undone.
export const undoableNames = [
  ...(['accounts', 'contacts', 'items', 'opening-balances', 'invoices', 'bills'] as const),
  ...(['payments', 'journals'] as const),
] as const
export type UndoableName = (typeof undoableNames)[number]

// Rates have their own page.
export const importNames = [...undoableNames, 'exchange-rates'] as const
export type ImportName = (typeof importNames)[number]

export type ImportProblem = {
  // As in a spreadsheet; null for the whole file.
  readonly row: number | null
  readonly column: string | null
  readonly message: string
}

export type ImportedKind = 'account' | 'contact' | 'item' | 'document' | 'payment' | 'journal'

// What a step has made. Undoing an import takes it back.
export type ImportedObject = { readonly kind: ImportedKind; readonly id: string }

// One object to create, and its rows.
export type ImportStep = {
  readonly rows: readonly CsvRow[]
  // Only checks: what it created is rolled back at once.
  readonly isCheck?: boolean
  // Throws a Fault or a CellProblem if something is wrong.
  make(tx: Tx, context: BooksContext, actor: Actor): Promise<ImportedObject | undefined>
}

export type Import = {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  // Cells of a row in the template.
  readonly example: Readonly<Record<string, string>>
  // No two rows have the same text in this column.
  readonly key?: string
  steps(rows: readonly CsvRow[], options: ImportOptions): ImportStep[]
}

export type ImportOptions = {
  // The day of opening balances, which have none themselves.
  readonly date: string | null
  readonly confirmsOldDate: boolean | undefined
  // Invoices are issued with their own numbers and bills approved, instead of kept as drafts.
  readonly isPosted: boolean
}

// A problem of one cell, found before the operation runs.
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

// The values that were read, and the problems.
export type Reading<Values> = {
  readonly values: Values
  readonly problems: readonly CellProblem[]
}

type Readers = Readonly<Record<string, () => unknown>>
type Values<Of extends Readers> = {
  readonly [Name in keyof Of]: Awaited<ReturnType<Of[Name]>>
}

// Reads every cell before it fails, so that a person sees all problems at once. Unreadable values
// are left out.
export async function readCells<Of extends Readers>(readers: Of): Promise<Reading<Values<Of>>> {
  const values: Record<string, unknown> = {}
  const problems: CellProblem[] = []
  for (const [name, read] of Object.entries(readers)) {
    try {
      values[name] = await read()
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      problems.push(error)
    }
  }
  return { values: values as Values<Of>, problems }
}

// If cells could not be read, the operation still runs, so that its other problems are reported
// too. What it created is rolled back with the step.
export async function makeFrom<Values>(
  { values, problems }: Reading<Values>,
  kind: ImportedKind,
  make: (values: Values) => Promise<{ readonly id: string }>,
): Promise<ImportedObject> {
  const { id } = await makeOnly({ values, problems }, make)
  return { kind, id }
}

// The same for what has no id.
export async function makeOnly<Values, Made>(
  { values, problems }: Reading<Values>,
  make: (values: Values) => Promise<Made>,
): Promise<Made> {
  if (problems.length === 0) return make(values)
  const found: unknown[] = [...problems]
  try {
    await make(values)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    found.push(error)
  }
  throw new AggregateError(found)
}

// One problem per place: an unreadable value is not also missing.
export function problemsOf({ rows }: ImportStep, error: unknown): ImportProblem[] {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const problems = errors.flatMap((one: unknown) => problemsIn(rows, one))
  const places = problems.map(({ row, column }) => `${row} ${column}`)
  return problems.filter((_, index) => {
    const place = places[index] ?? ''
    return problems[index]?.column === null || places.indexOf(place) === index
  })
}

function problemsIn(rows: readonly CsvRow[], error: unknown): ImportProblem[] {
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
      messages.map((message) => problemOf(rows, field, message)),
    ),
  ]
}

// Operations name their fields `salesAccountId`, and report a problem in the third row of an
// invoice as `lines` with a message that starts with `2.accountId: `. The columns have the same
// names, without `id`.
function problemOf(rows: readonly CsvRow[], field: string, message: string): ImportProblem {
  const [, position, ofLine, said] = /^(\d+)(?:\.(\w+))?: (.+)$/s.exec(message) ?? []
  if (position === undefined || said === undefined) {
    return { row: rows[0]?.number ?? null, column: columnOf(field), message }
  }
  const row = rows[Number.parseInt(position, 10)] ?? rows[0]
  return { row: row?.number ?? null, column: ofLine ? columnOf(ofLine) : null, message: said }
}

function columnOf(field: string): string {
  const snake = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return snake.replace(/_id$/, '')
}
