// The one place that runs operations. The order of the checks is part of the interface: permission
// → input → scopes that depend on the input → replay of an idempotent call → checks of the
// operation → the operation. No transaction is open around `run`: money moves in three steps
// (reserve, execute, settle), and the second waits for the provider.
import type { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { assert } from '../basics/assert.ts'
import type { Context } from '../db/context.ts'
import { claimIdempotencyKey, findEarlierObject, type RepeatObserver } from './idempotency.ts'
import type { Call, CallContext, Operation } from './operation.ts'
import { requirePermission, requireScope } from './permission.ts'
import { validated } from './validate.ts'

export type CallOptions = {
  readonly idempotencyKey?: string | undefined
  // Told when the result is that of an earlier call with the same key.
  readonly onReplay?: () => void
}

type RunContext = Context & RepeatObserver

export async function runOperation<C extends RunContext, Input extends z.ZodType, Result>(
  operation: Operation<C, Input, Result>,
  context: C,
  actor: Actor,
  input: z.input<Input>,
  options: CallOptions = {},
): Promise<Result> {
  requirePermission(operation, actor)
  return runValidated(operation, context, actor, validated(operation.input, input), options)
}

// For routes: the schemas of the published interface have already checked the input.
export async function runValidated<C extends RunContext, Input extends z.ZodType, Result>(
  operation: Operation<C, Input, Result>,
  context: C,
  actor: Actor,
  input: z.output<Input>,
  { idempotencyKey: sentKey, onReplay }: CallOptions = {},
): Promise<Result> {
  requirePermission(operation, actor)
  if (actor.kind === 'key') {
    for (const scope of operation.inputScopes?.(input) ?? []) requireScope(actor, [scope])
  }
  const { idempotency } = operation
  assert(sentKey === undefined || idempotency, `${operation.name} takes no idempotency key`)
  const key =
    sentKey !== undefined && idempotency?.accept
      ? await idempotency.accept(context, actor, sentKey)
      : sentKey
  const identity = {
    operation: idempotency?.nameOf?.(input) ?? idempotency?.name ?? operation.name,
    key,
    body: idempotency?.compared?.(input) ?? (input as object),
    isBodyBound: idempotency?.isBodyBound ?? false,
  }
  let isDifferent = false
  const onDifferingRepeat = (name: string) => {
    isDifferent = true
    context.onDifferingRepeat?.(name)
  }
  const observed = { ...context, onDifferingRepeat }
  const replay = async (objectId: string) => {
    assert(idempotency, `${operation.name} has nothing to replay`)
    if (isDifferent) await recordDifference(context, actor, identity, objectId)
    onReplay?.()
    return idempotency.replay(context, actor, objectId, input)
  }
  const earlierId = await findEarlierObject(observed, actor, identity)
  if (earlierId !== undefined) return replay(earlierId)
  for (const check of operation.checks ?? []) await check(context, actor)

  const watch = watchCall(observed, actor, identity)
  try {
    const result = await operation.run(watch.context, actor, input)
    if (context.verifiesCalls) watch.assertComplete(operation)
    return result
  } catch (error) {
    if (error instanceof RepeatedCall) return replay(error.objectId)
    throw error
  }
}

// Another call with the same key came first. Its object is known by now.
class RepeatedCall extends Error {
  override readonly name = 'RepeatedCall'
  readonly objectId: string

  constructor(objectId: string) {
    super('the idempotency key was used before')
    this.objectId = objectId
  }
}

type Identity = Parameters<typeof claimIdempotencyKey>[3]

// The caller got the object of the first call, and may not know that it asked for something else.
// The audit log of its business tells it.
async function recordDifference(
  context: RunContext,
  actor: Actor,
  { operation, key }: Identity,
  objectId: string,
): Promise<void> {
  await context.database.transaction((tx) =>
    recordAct(tx, context, actor, {
      action: 'idempotency_key.differ',
      objectKind: operation,
      objectId,
      detail: { idempotency_key: key ?? null },
    }),
  )
}

function watchCall<C extends RunContext>(context: C, actor: Actor, identity: Identity) {
  let acts = 0
  let isKeyClaimed = false
  let needsNoAct = false
  const call: Call = {
    async claimKey(tx, objectId) {
      isKeyClaimed = true
      const earlierId = await claimIdempotencyKey(tx, context, actor, identity, objectId)
      if (earlierId !== undefined) throw new RepeatedCall(earlierId)
    },
    nothingChanged() {
      needsNoAct = true
    },
    changedNoBusiness() {
      needsNoAct = true
    },
  }
  const onAct = () => {
    acts += 1
    context.onAct?.()
  }
  const watched: C & CallContext = { ...context, onAct, call }
  return {
    context: watched,
    // A write without an audit row, or without claiming its key, is a bug of the operation.
    assertComplete({ name, kind, idempotency }: Operation<never>) {
      if (kind === 'read') {
        assert(acts === 0, `${name} reads, but wrote an audit row`)
        return
      }
      assert(acts > 0 || needsNoAct, `${name} wrote no audit row`)
      assert(!idempotency || isKeyClaimed || needsNoAct, `${name} did not claim its key`)
    },
  }
}
