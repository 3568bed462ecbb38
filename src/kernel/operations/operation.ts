// Everything that somebody can do is one value, defined once. Routes, pages and commands call it
// through `runOperation`, which checks who calls and what they send, so `run` holds only the rules
// of the operation itself.
import type { z } from 'zod'
import type { Actor, Role } from '../auth/actor.ts'
import type { Tx } from '../db/database.ts'

export type Operation<Context, Input extends z.ZodType = z.ZodType, Result = unknown> = {
  // Verb and noun, for example `refund-payment`.
  readonly name: string
  readonly summary: string
  // A reading operation changes nothing, so it writes no audit row.
  readonly kind: 'read' | 'write'
  // With the names used inside the program: camelCase, and units last (`amountMinor`).
  readonly input: Input
  // A key needs one of these. An operation without a documented scope refuses every key.
  readonly scopes: readonly string[]
  // Scopes that a key needs in addition because of what it sends.
  inputScopes?(input: z.output<Input>): readonly string[]
  // People with one of these roles may call it; with no role, only the operator may.
  readonly roles: readonly Role[]
  // For decisions that a person must take: not even the operator's commands may call it.
  readonly peopleOnly?: boolean
  readonly idempotency?: Idempotency<Context, z.output<Input>, Result>
  // Asked for a new call, but not for the replay of an earlier one. In this order.
  readonly checks?: readonly Check<Context>[]
  run(context: Context & CallContext, actor: Actor, input: z.output<Input>): Promise<Result>
}

export type Check<Context> = (context: Context, actor: Actor) => Promise<void> | void

export type Idempotency<Context, Input, Result> = {
  // Stored with every key, so it never changes. Keys of different operations are different keys.
  readonly name: string
  // Refuses a repeat that asks for something else. Where the interface promises that the key alone
  // counts, a differing repeat gets the first result.
  readonly isBodyBound?: boolean
  // What of the input tells whether a repeat asks for the same; a hash of it is stored. All of it,
  // unless a part is a secret that could be guessed from its hash.
  compared?(input: Input): object
  // The result of a repeated call, from the object that the first call made.
  replay(context: Context, actor: Actor, objectId: string): Promise<Result>
}

// What `runOperation` hands to `run` for this one call.
export type CallContext = { readonly call: Call }

export type Call = {
  // The first statement of the first transaction: claims the caller's idempotency key for the
  // object that is about to be made. When the key was used before, it throws, which rolls the
  // transaction back, and the caller gets the result of the first call.
  claimKey(tx: Tx, objectId: string): Promise<void>
  // Says that this call changed nothing, so that it needs no audit row.
  nothingChanged(): void
  // Says that what this call wrote belongs to no business, so no audit log can hold it.
  changedNoBusiness(): void
}

// `const defineOperation = operationsOf<MerchantContext>()`: a service names its context once.
export function operationsOf<Context>() {
  return function defineOperation<Input extends z.ZodType, Result>(
    operation: Operation<Context, Input, Result>,
  ): Operation<Context, Input, Result> {
    return operation
  }
}
