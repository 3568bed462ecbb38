// Takes back what an import has made, the last object first. Everything is tried first, so that an
// import is undone as a whole or not at all: documents are voided, payments removed and journals
// reversed on their own days; contacts, items and accounts that nothing uses are deleted.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { databaseInside, type Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import type { ImportProblem } from './import.ts'
import {
  listStandingObjects,
  lockImport,
  type StoredObject,
  updateImport,
  updateObjectsUndone,
} from './import-store.ts'
import { requireImporter } from './require-importer.ts'
import type { ImportRecord } from './started-import.ts'
import { Undone } from './take-step.ts'
import { undoObject } from './undo-object.ts'

const batchSize = 50
const problemsMax = 100

export async function undoObjects(
  context: BooksContext,
  actor: Actor,
  record: ImportRecord,
  signal: AbortSignal,
): Promise<void> {
  const problems = await findProblems(context, actor, record, signal)
  if (problems.length > 0) return refuse(context, actor, record, problems)
  try {
    for (let isEnd = false; !isEnd; ) {
      signal.throwIfAborted()
      isEnd = await undoBatch(context, actor, record.id)
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await refuse(context, actor, record, [error.problem])
  }
}

class Refused extends Error {
  override readonly name = 'Refused'
  readonly problem: ImportProblem

  constructor(problem: ImportProblem) {
    super('it can no longer be undone')
    this.problem = problem
  }
}

async function findProblems(
  { database, ...rest }: BooksContext,
  actor: Actor,
  record: ImportRecord,
  signal: AbortSignal,
): Promise<ImportProblem[]> {
  const context = { ...rest, database }
  const problems: ImportProblem[] = []
  let before: number | null = null
  while (problems.length < problemsMax) {
    signal.throwIfAborted()
    const objects = await listStandingObjects(database.sql, actor, record.id, batchSize, before)
    const last = objects.at(-1)
    if (!last) break
    before = last.position
    await requireImporter(database.sql, actor, record)
    problems.push(...(await tryBatch(context, actor, objects, record.isPosted)))
  }
  return problems
}

async function tryBatch(
  context: BooksContext,
  actor: Actor,
  objects: readonly StoredObject[],
  isPosted: boolean,
): Promise<ImportProblem[]> {
  let found: ImportProblem[] = []
  try {
    await context.database.transaction(async (tx) => {
      found = []
      for (const object of objects) {
        const problem = await undoOne(tx, context, actor, { ...object, isPosted })
        if (problem) found.push(problem)
      }
      throw new Undone('it was only tried')
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return found
}

// True after the last batch.
async function undoBatch(context: BooksContext, actor: Actor, id: string): Promise<boolean> {
  return context.database.transaction(async (tx) => {
    const record = await lockImport(tx, actor, id)
    if (record?.status !== 'undoing') return true
    await requireImporter(tx, actor, record)
    const objects = await listStandingObjects(tx, actor, id, batchSize)
    for (const object of objects) {
      const problem = await undoOne(tx, context, actor, { ...object, isPosted: record.isPosted })
      if (problem) throw new Refused(problem)
    }
    const now = context.clock.now()
    const positions = objects.map(({ position }) => position)
    await updateObjectsUndone(tx, actor, id, positions, now)
    const isEnd = objects.length < batchSize
    const stepsDone = Math.min(record.stepCount, record.stepsDone + objects.length)
    await updateImport(tx, actor, record, {
      stepsDone,
      ...(isEnd && { status: 'undone', undoneAt: now }),
    })
    if (isEnd) await recordEnd(context, tx, actor, record, 'import.undone')
    return isEnd
  })
}

async function undoOne(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  object: StoredObject & { readonly isPosted: boolean },
): Promise<ImportProblem | undefined> {
  try {
    await databaseInside(tx).transaction((inner) => undoObject(inner, context, actor, object))
    return undefined
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { row: object.rowNumber, column: null, message: messageOf(error) }
  }
}

function messageOf({ error }: Fault): string {
  if (typeof error === 'string') return error
  return [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
}

// It is an import like before; what stands in the way is shown.
async function refuse(
  context: BooksContext,
  actor: Actor,
  record: ImportRecord,
  problems: readonly ImportProblem[],
): Promise<void> {
  await context.database.transaction(async (tx) => {
    if (!(await updateImport(tx, actor, record, { status: 'imported', problems }))) return
    await recordEnd(context, tx, actor, record, 'import.undo_refused')
  })
}

async function recordEnd(
  context: BooksContext,
  tx: Tx,
  actor: Actor,
  { id, name, rowCount }: ImportRecord,
  action: string,
): Promise<void> {
  await recordAct(tx, context, actor, {
    action,
    objectKind: 'import',
    objectId: id,
    detail: { name, rows: rowCount },
  })
}
