// Everything that an actor can do is one value, defined once. Routes, pages and commands call it
// through `runOperation`, which checks the caller and the input, so `run` contains only the rules
// of the operation itself.
import type { z } from 'zod'
import type { Actor, Role } from '../auth/actor.ts'
import type { Tx } from '../db/database.ts'

export type Operation<Context, Input extends z.ZodType = z.ZodType, Result = unknown> = {
  // Verb and noun, such as `refund-payment`.
  readonly name: string
  readonly summary: string
  // A reading operation changes nothing, so it writes no audit row.
  readonly kind: 'read' | 'write'
  // With the names used in the code: camelCase, and units last (`amountMinor`).
  readonly input: Input
  // A key needs one of these. An operation without a documented scope refuses every key.
  readonly scopes: readonly string[]
  // Additional scopes that a key needs because of the input.
  inputScopes?(input: z.output<Input>): readonly string[]
  // People need one of these roles. Without a role, only the operator can call it.
  readonly roles: readonly Role[]
  // For decisions that a person must take: not even the operator's commands can call it.
  readonly peopleOnly?: boolean
  // About the caller's own account. Every person may call it, whatever the role.
  readonly isOwnAccount?: boolean
  readonly idempotency?: Idempotency<Context, z.output<Input>, Result>
  // Run in this order for a new call, but not for the replay of an earlier one.
  readonly checks?: readonly Check<Context>[]
  run(context: Context & CallContext, actor: Actor, input: z.output<Input>): Promise<Result>
}

export type Check<Context> = (context: Context, actor: Actor) => Promise<void> | void

export type Idempotency<Context, Input, Result> = {
  // Stored with every key, so it never changes. Each operation has its own keys.
  readonly name: string
  // For an operation that makes several kinds of objects, each with its own keys.
  nameOf?(input: Input): string
  // Refuses a repeat with different input. If the interface promises that only the key counts, a
  // differing repeat gets the first result instead.
  readonly isBodyBound?: boolean
  // The part of the input that a repeat must match; a hash of it is stored. All of it by default.
  // Leave out secrets that could be guessed from their hash.
  compared?(input: Input): object
  // For keys that only some businesses use: returns undefined if the key is ignored.
  accept?(context: Context, actor: Actor, key: string): Promise<string | undefined>
  // The result of a repeated call, from the object that the first call created.
  replay(context: Context, actor: Actor, objectId: string, input: Input): Promise<Result>
}

// What `runOperation` passes to `run` for one call.
export type CallContext = { readonly call: Call }

export type Call = {
  // Must be the first statement of the first transaction: claims the caller's idempotency key for
  // the new object. If the key was used before, it throws, which rolls the transaction back, and
  // the caller gets the result of the first call.
  claimKey(tx: Tx, objectId: string): Promise<void>
  // Declares that this call changed nothing, so that it needs no audit row.
  nothingChanged(): void
  // Declares that the change belongs to no business, so no audit log can contain it.
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
