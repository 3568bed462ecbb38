// Takes a file in, or tries it: both do exactly the same, in one transaction in which each thing
// that is made can be undone by itself. A trial, and a file with a problem, is undone as a whole.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalid } from '../../kernel/basics/fault.ts'
import { databaseInside } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { type CsvTable, readCsv } from './csv-table.ts'
import {
  type Import,
  type ImportOptions,
  type ImportProblem,
  type ImportStep,
  problemsOf,
} from './import.ts'
import { accountImport } from './import-accounts.ts'
import { contactImport } from './import-contacts.ts'
import { invoiceImport } from './import-invoices.ts'
import { itemImport } from './import-items.ts'
import { openingBalanceImport } from './import-opening-balances.ts'

export const imports = {
  accounts: accountImport,
  contacts: contactImport,
  items: itemImport,
  'opening-balances': openingBalanceImport,
  invoices: invoiceImport,
} as const
export type ImportName = keyof typeof imports

export type ImportReport = {
  readonly rows: number
  // How many things the file would make or has made.
  readonly made: number
  readonly problems: readonly ImportProblem[]
  readonly isKept: boolean
}

export type ImportRequest = {
  readonly name: ImportName
  readonly bytes: Uint8Array
  readonly isTrial: boolean
  readonly options: ImportOptions
  onProgress?(done: number, total: number): void
}

class Undone extends Error {
  override readonly name = 'Undone'
}

export async function importCsv(
  context: BooksContext,
  actor: Actor,
  request: ImportRequest,
): Promise<ImportReport> {
  requireRole(actor, 'administer')
  const wanted = imports[request.name]
  const table = readCsv(request.bytes)
  requireColumns(wanted, table)
  const steps = wanted.steps(table.rows, request.options)
  const made = steps.filter((step) => !step.isCheck).length
  let problems: ImportProblem[] = []
  try {
    await context.database.transaction(async (tx) => {
      problems = []
      const inside = { ...context, database: databaseInside(tx) }
      for (const [index, step] of steps.entries()) {
        // What several rows make together is made only when each of them is right.
        if (!step.isCheck && problems.some(({ row }) => isRowOf(step, row))) continue
        problems.push(...(await take(inside, actor, step)))
        request.onProgress?.(index + 1, steps.length)
      }
      if (problems.length > 0 || request.isTrial) throw new Undone('the import is not kept')
      await recordAct(tx, context, actor, {
        action: 'books.import',
        objectKind: 'import',
        objectId: request.name,
        detail: { rows: table.rows.length, made },
      })
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  const isKept = problems.length === 0 && !request.isTrial
  const named = problems.map((problem) => ({ ...problem, column: headingOf(table, problem) }))
  return { rows: table.rows.length, made, problems: named, isKept }
}

// As it is written in the file; one that is not there has the name that it would have.
function headingOf({ columns, headings }: CsvTable, { column }: ImportProblem): string | null {
  if (column === null) return null
  return headings[columns.indexOf(column)] ?? column
}

// What is wrong with it; each step is undone by itself when it fails.
async function take(
  context: BooksContext,
  actor: Actor,
  step: ImportStep,
): Promise<ImportProblem[]> {
  try {
    await context.database.transaction(async (tx) => {
      await step.make({ ...context, database: databaseInside(tx) }, actor)
      if (step.isCheck) throw new Undone('it was only tried')
    })
    return []
  } catch (error) {
    return error instanceof Undone ? [] : problemsOf(step, error)
  }
}

function isRowOf({ rows }: ImportStep, row: number | null): boolean {
  return rows.some(({ number }) => number === row)
}

function requireColumns({ required, optional }: Import, table: CsvTable): void {
  const { columns, headings, rows } = table
  const missing = required.filter((name) => !columns.includes(name))
  const known = [...required, ...optional]
  const unknown = headings.filter((_, index) => !known.includes(columns[index] ?? ''))
  if (missing.length > 0) throw invalid(`These columns are missing: ${missing.join(', ')}.`)
  if (unknown.length > 0) {
    const names = unknown.map((heading) => heading || '(nothing)').join(', ')
    throw invalid(`Unknown columns: ${names}. There are: ${known.join(', ')}.`)
  }
  if (rows.length === 0) throw invalid('The file has no rows below its head.')
}
