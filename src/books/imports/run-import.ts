// The work of an import, in batches, so that others wait only briefly for the journal. A batch and
// how far the import got are one transaction: after a crash, the next run continues behind the last
// batch, and no row is made twice.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { CauseMissing, defineJob, type JobRun } from '../../kernel/jobs/job.ts'
import type { BooksContext } from '../context.ts'
import { readCsv } from './csv-table.ts'
import type { ImportProblem, ImportStep } from './import.ts'
import { readImportFile } from './import-file.ts'
import { headingOf, repeatedKeys, stepsOf } from './import-kinds.ts'
import { findImport, insertImportObjects, lockImport, updateImport } from './import-store.ts'
import { requireImporter } from './require-importer.ts'
import { type ImportRecord, type ImportStatus, importStatuses } from './started-import.ts'
import { isBlocked, takeStep, Undone } from './take-step.ts'
import { undoObjects } from './undo-import.ts'

const batchSize = 50
const problemsMax = 500
const attemptsMax = 20

const payloadSchema = z.object({
  importId: z.uuid(),
  // The status that a person moved it from. Jobs of an earlier version don't say.
  from: z.enum(importStatuses).optional(),
})

export const runImportJob = defineJob({
  kind: 'run-import',
  schema: payloadSchema,
  attemptsMax,
  retryDelaysSeconds: [2, 10, 60, 600],
  leaseSeconds: 60,
  // One at a time: an import is not urgent and must not take the slots of payments.
  ownSlots: 1,
  // An undo that was refused leaves it as it was.
  endsWithoutCause: true,
  async run(context: BooksContext, job: JobRun<z.infer<typeof payloadSchema>>, signal) {
    const tenant = assertDefined(job.tenant, 'an import without a tenant')
    const record = await findImport(context.database.sql, tenant, job.payload.importId)
    if (!record || record.status === job.payload.from) {
      throw new CauseMissing('no one has moved the import on')
    }
    const quiet = { ...context, keepsEventsBack: !record.sendsWebhooks }
    try {
      const actor = await requireImporter(context.database.sql, tenant, record)
      if (record.status === 'checking') await check(quiet, actor, record, signal)
      if (record.status === 'importing') await save(quiet, actor, record, signal)
      if (record.status === 'undoing') await undoObjects(quiet, actor, record, signal)
    } catch (error) {
      if (error instanceof Fault && error.kind === 'permission_denied') {
        return end(context, tenant, record, messageOf(error))
      }
      // No one continues it after the last attempt, so the person must see that.
      if (job.attempt === attemptsMax) await end(context, tenant, record, failed)
      throw error
    }
  },
})

const failed = 'It failed, not because of the file. Try again, or ask who runs the server.'

const endings: Partial<Record<ImportStatus, readonly [ImportStatus, action: string]>> = {
  checking: ['refused', 'import.check'],
  importing: ['stopped', 'import.stop'],
  undoing: ['imported', 'import.undo_refused'],
}

// What was saved so far stays, and can be undone.
async function end(
  context: BooksContext,
  { businessId, environment }: Tenant,
  record: ImportRecord,
  message: string,
): Promise<void> {
  const [status, action] = assertDefined(endings[record.status], 'nothing is under way')
  const actor = { kind: 'system', name: 'books import', businessId, environment } as const
  const problems = [{ row: null, column: null, message }]
  await context.database.transaction(async (tx) => {
    if (!(await updateImport(tx, actor, record, { status, problems }))) return
    await recordEnd(context, tx, actor, record, action, { problems: 1 })
  })
}

function messageOf({ error }: Fault): string {
  return typeof error === 'string' ? error : error.formErrors.join(' ')
}

type Worker = (
  context: BooksContext,
  actor: Actor,
  record: ImportRecord,
  signal: AbortSignal,
) => Promise<void>

// Every row is tried and rolled back.
const check: Worker = async (context, actor, record, signal) => {
  const { table, steps } = await readSteps(context, actor, record)
  const problems: ImportProblem[] = repeatedKeys(record.name, table)
  let done = 0
  for (const batch of batchesOf(steps)) {
    signal.throwIfAborted()
    await requireImporter(context.database.sql, actor, record)
    const found = await tryBatch(context, actor, batch, problems)
    problems.push(...found.filter((problem) => !problems.some((one) => isSamePlace(one, problem))))
    done += batch.filter(({ isCheck }) => !isCheck).length
    await updateImport(context.database.sql, actor, record, { stepsDone: done })
  }
  const sorted = problems
    .toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0))
    .slice(0, problemsMax)
    .map((problem) => ({ ...problem, column: headingOf(table, problem.column) }))
  const status = sorted.length > 0 ? 'refused' : 'checked'
  await context.database.transaction(async (tx) => {
    if (!(await updateImport(tx, actor, record, { status, problems: sorted }))) return
    await recordEnd(context, tx, actor, record, 'import.check', { problems: problems.length })
  })
}

async function tryBatch(
  context: BooksContext,
  actor: Actor,
  batch: readonly ImportStep[],
  earlier: readonly ImportProblem[],
): Promise<ImportProblem[]> {
  let found: ImportProblem[] = []
  try {
    await context.database.transaction(async (tx) => {
      found = []
      for (const step of batch) {
        if (isBlocked(step, [...earlier, ...found])) continue
        found.push(...(await takeStep(tx, context, actor, step)).problems)
      }
      throw new Undone('it was only tried')
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return found
}

class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly problems: readonly ImportProblem[]

  constructor(problems: readonly ImportProblem[]) {
    super('a row can no longer be saved')
    this.problems = problems
  }
}

const save: Worker = async (context, actor, record, signal) => {
  const { steps: all, table } = await readSteps(context, actor, record)
  const steps = all.filter(({ isCheck }) => !isCheck)
  try {
    for (let isEnd = false; !isEnd; ) {
      signal.throwIfAborted()
      isEnd = await saveBatch(context, actor, record.id, steps)
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    const problems = error.problems.map((problem) => ({
      ...problem,
      column: headingOf(table, problem.column),
    }))
    await context.database.transaction(async (tx) => {
      const finishedAt = context.clock.now()
      const ended = { status: 'stopped', problems, finishedAt } as const
      if (!(await updateImport(tx, actor, record, ended))) return
      await recordEnd(context, tx, actor, record, 'import.stop', { problems: problems.length })
    })
  }
}

// True after the last batch.
async function saveBatch(
  context: BooksContext,
  actor: Actor,
  id: string,
  steps: readonly ImportStep[],
): Promise<boolean> {
  return context.database.transaction(async (tx) => {
    const record = await lockImport(tx, actor, id)
    if (record?.status !== 'importing') return true
    await requireImporter(tx, actor, record)
    const first = record.stepsDone
    const batch = steps.slice(first, first + batchSize)
    const made = []
    for (const [index, step] of batch.entries()) {
      const taken = await takeStep(tx, context, actor, step)
      if (taken.problems.length > 0) throw new Stopped(taken.problems)
      const rowNumber = step.rows[0]?.number ?? 0
      if (taken.made) made.push({ ...taken.made, position: first + index + 1, rowNumber })
    }
    await insertImportObjects(tx, actor, id, made)
    const stepsDone = first + batch.length
    const isEnd = stepsDone === steps.length
    const finishedAt = context.clock.now()
    await updateImport(tx, actor, record, {
      stepsDone,
      ...(isEnd && { status: 'imported', finishedAt }),
    })
    if (isEnd) await recordEnd(context, tx, actor, record, 'books.import', { made: stepsDone })
    return isEnd
  })
}

async function readSteps(context: BooksContext, actor: Actor, record: ImportRecord) {
  const table = readCsv(await readImportFile(context, actor, record.id))
  return { table, steps: stepsOf(record.name, table, record) }
}

function recordEnd(
  context: BooksContext,
  tx: Parameters<typeof recordAct>[0],
  actor: Actor,
  { id, name, rowCount }: ImportRecord,
  action: string,
  detail: Readonly<Record<string, number>>,
): Promise<unknown> {
  return recordAct(tx, context, actor, {
    action,
    objectKind: 'import',
    objectId: id,
    detail: { name, rows: rowCount, ...detail },
  })
}

function batchesOf(steps: readonly ImportStep[]): ImportStep[][] {
  const batches: ImportStep[][] = []
  for (let start = 0; start < steps.length; start += batchSize) {
    batches.push(steps.slice(start, start + batchSize))
  }
  return batches
}

function isSamePlace(one: ImportProblem, other: ImportProblem): boolean {
  return one.row === other.row && one.column === other.column
}
