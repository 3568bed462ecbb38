// Imports a file, or tries it: both do exactly the same, in one transaction with a savepoint per
// object. A trial, or a file with a problem, is rolled back as a whole.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalid } from '../../kernel/basics/fault.ts'
import { databaseInside, type Tx } from '../../kernel/db/database.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { oneOf } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { type CsvTable, readCsv } from './csv-table.ts'
import { type Import, type ImportProblem, type ImportStep, problemsOf } from './import.ts'
import { accountImport } from './import-accounts.ts'
import { contactImport } from './import-contacts.ts'
import { exchangeRateImport } from './import-exchange-rates.ts'
import { invoiceImport } from './import-invoices.ts'
import { itemImport } from './import-items.ts'
import { openingBalanceImport } from './import-opening-balances.ts'

const imports = {
  accounts: accountImport,
  contacts: contactImport,
  items: itemImport,
  'opening-balances': openingBalanceImport,
  invoices: invoiceImport,
  'exchange-rates': exchangeRateImport,
} as const
export type ImportName = keyof typeof imports
export const importNames = Object.keys(imports) as [ImportName, ...ImportName[]]

export type ImportReport = {
  readonly rows: number
  // How many objects the file would create or has created.
  readonly made: number
  readonly problems: readonly ImportProblem[]
  readonly isKept: boolean
}

type Progress = (done: number, total: number) => void

class Undone extends Error {
  override readonly name = 'Undone'
}

export const importCsv = defineOperation({
  name: 'import-csv',
  summary: 'Import a CSV file, or check it',
  kind: 'write',
  input: z.strictObject({
    name: oneOf(importNames),
    bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    isTrial: z.boolean().default(false),
    // The day of opening balances.
    date: bookDay().nullable().default(null),
    ...oldDate,
    onProgress: z.custom<Progress>((value) => typeof value === 'function').optional(),
  }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, input): Promise<ImportReport> {
    const { name, bytes, isTrial, date, confirmsOldDate, onProgress } = input
    const wanted = imports[name]
    const table = readCsv(bytes)
    requireColumns(wanted, table)
    const steps = wanted.steps(table.rows, { date, confirmsOldDate })
    const made = steps.filter((step) => !step.isCheck).length
    let problems: ImportProblem[] = []
    try {
      await context.database.transaction(async (tx) => {
        problems = []
        for (const [index, step] of steps.entries()) {
          // An object from several rows is created only if all of them are right.
          if (!step.isCheck && problems.some(({ row }) => isRowOf(step, row))) continue
          problems.push(...(await take(tx, context, actor, step)))
          onProgress?.(index + 1, steps.length)
        }
        if (problems.length > 0 || isTrial) throw new Undone('the import is not kept')
        await recordAct(tx, context, actor, {
          action: 'books.import',
          objectKind: 'import',
          objectId: name,
          detail: { rows: table.rows.length, made },
        })
      })
    } catch (error) {
      if (!(error instanceof Undone)) throw error
      context.call.nothingChanged()
    }
    const isKept = problems.length === 0 && !isTrial
    const named = problems.map((problem) => ({ ...problem, column: headingOf(table, problem) }))
    return { rows: table.rows.length, made, problems: named, isKept }
  },
})

// As written in the file; a missing column has its expected name.
function headingOf({ columns, headings }: CsvTable, { column }: ImportProblem): string | null {
  if (column === null) return null
  return headings[columns.indexOf(column)] ?? column
}

// Returns the problems; each step is rolled back separately if it fails.
async function take(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  step: ImportStep,
): Promise<ImportProblem[]> {
  try {
    await databaseInside(tx).transaction(async (inner) => {
      await step.make(inner, context, actor)
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
    throw invalid(`Unknown columns: ${names}. Known columns: ${known.join(', ')}.`)
  }
  if (rows.length === 0) throw invalid('The file has no rows below the header.')
}
