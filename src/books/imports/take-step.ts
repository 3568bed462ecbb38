// Makes the object of one step in a savepoint, or says what is wrong with its rows.
import type { Actor } from '../../kernel/auth/actor.ts'
import { databaseInside, type Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import { type ImportedObject, type ImportProblem, type ImportStep, problemsOf } from './import.ts'

// Rolls back what was only tried.
export class Undone extends Error {
  override readonly name = 'Undone'
}

type Taken = {
  readonly made: ImportedObject | undefined
  readonly problems: readonly ImportProblem[]
}

export async function takeStep(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  step: ImportStep,
): Promise<Taken> {
  try {
    const made = await databaseInside(tx).transaction(async (inner) => {
      const object = await step.make(inner, context, actor)
      if (step.isCheck) throw new Undone('it was only tried')
      return object
    })
    return { made, problems: [] }
  } catch (error) {
    const problems = error instanceof Undone ? [] : problemsOf(step, error)
    return { made: undefined, problems }
  }
}

// An object from several rows is created only if all of them are right.
export function isBlocked(step: ImportStep, problems: readonly ImportProblem[]): boolean {
  if (step.isCheck) return false
  return problems.some(({ row }) => step.rows.some(({ number }) => number === row))
}
