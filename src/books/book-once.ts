// Books something once, however often a person presses the button: with an idempotency key, a
// repeat gets what the first has booked, and one that says something else under the same key is
// refused. The key is claimed before anything is locked, so that a repeat at the same moment holds
// nothing while it waits for the first.
import type { Actor } from '../kernel/auth/actor.ts'
import { assertDefined } from '../kernel/basics/assert.ts'
import type { Tx } from '../kernel/db/database.ts'
import { claimIdempotencyKey } from '../kernel/operations/idempotency.ts'
import type { BooksContext } from './context.ts'

export type BookedOnce<Input, Result> = {
  // Keys of different operations are different keys.
  readonly operation: string
  readonly input: Input & { readonly idempotencyKey?: string | undefined }
  // What it is booked under, where that is there already; a new id otherwise.
  readonly id?: string
  // Books it under the given id.
  book(tx: Tx, id: string): Promise<Result>
  // What was booked under that id.
  find(tx: Tx, id: string): Promise<Result | undefined>
}

export async function bookOnce<Input extends object, Result>(
  context: BooksContext,
  actor: Actor,
  { operation, input, id: given, book, find }: BookedOnce<Input, Result>,
): Promise<Result> {
  const { idempotencyKey: key, ...body } = input
  const call = { operation, key, body, isBodyBound: true }
  return context.database.transaction(async (tx) => {
    const id = given ?? context.ids.uuid()
    const earlierId = await claimIdempotencyKey(tx, context, actor, call, id)
    if (earlierId === undefined) return book(tx, id)
    return assertDefined(await find(tx, earlierId), `what ${operation} has booked vanished`)
  })
}
