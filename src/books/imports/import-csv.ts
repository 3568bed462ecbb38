// Imports a file, or tries it: both do exactly the same, in one transaction with a savepoint per
// object. A trial, or a file with a problem, is rolled back as a whole.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { bookDay, oldDate } from '../input/day-input.ts'
import { readCsv } from './csv-table.ts'
import type { ImportProblem } from './import.ts'
import { importNames } from './import.ts'
import { headingOf, stepsOf } from './import-kinds.ts'
import { isBlocked, takeStep, Undone } from './take-step.ts'

export type ImportReport = {
  readonly rows: number
  // How many objects the file would create or has created.
  readonly made: number
  readonly problems: readonly ImportProblem[]
  readonly isKept: boolean
}

type Progress = (done: number, total: number) => void

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
    // Invoices are issued with their own numbers and bills approved, instead of kept as drafts.
    isPosted: z.boolean().default(false),
    sendsWebhooks: z.boolean().default(false),
    ...oldDate,
    onProgress: z.custom<Progress>((value) => typeof value === 'function').optional(),
  }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, input): Promise<ImportReport> {
    const { name, bytes, isTrial, date, confirmsOldDate, isPosted, onProgress } = input
    const table = readCsv(bytes)
    const steps = stepsOf(name, table, { date, confirmsOldDate, isPosted })
    const quiet = { ...context, keepsEventsBack: !input.sendsWebhooks }
    const made = steps.filter((step) => !step.isCheck).length
    let problems: ImportProblem[] = []
    try {
      await context.database.transaction(async (tx) => {
        problems = []
        for (const [index, step] of steps.entries()) {
          if (isBlocked(step, problems)) continue
          problems.push(...(await takeStep(tx, quiet, actor, step)).problems)
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
    const named = problems.map((problem) => ({
      ...problem,
      column: headingOf(table, problem.column),
    }))
    return { rows: table.rows.length, made, problems: named, isKept }
  },
})
