// Idempotency is a unique constraint in the transaction of the effect, not a cache: a concurrent
// repeat waits at the constraint until the first has committed, then finds its object. A call
// that was refused rolls back and uses no key up. A repeat with another body gets the object of
// the first all the same; it is only counted, because it shows a caller whose keys are no keys.
// Where people book money it is refused instead: nobody there promised the opposite.
import { createHash } from 'node:crypto'
import { assertDefined } from '../basics/assert.ts'
import { Fault } from '../basics/fault.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Sql, Tx } from '../db/database.ts'
import { writeJson } from '../money/exact-number.ts'
import { findIdempotencyKey, insertIdempotencyKey } from './idempotency-store.ts'

export type IdempotentCall = {
  readonly operation: string
  readonly key: string | undefined
  // What was asked for, the key itself left out. Without it, repeats are not compared.
  readonly body?: object
  // Refuses a repeat with another body.
  readonly isBodyBound?: boolean
}

// Told of every repeat whose body is not that of the first call.
export type RepeatObserver = { readonly onDifferingRepeat?: (operation: string) => void }

// Claims the key for the object that is about to be made. Returns the id of the earlier object
// when the key was used before, and then the caller must not make another.
export async function claimIdempotencyKey(
  tx: Tx,
  context: Pick<Context, 'clock'> & RepeatObserver,
  tenant: Tenant,
  call: IdempotentCall,
  objectId: string,
): Promise<string | undefined> {
  const { operation, key } = call
  if (key === undefined) return undefined
  const createdAt = context.clock.now()
  const bodyHash = hashOf(call)
  const row = { operation, key, objectId, bodyHash, createdAt }
  if (await insertIdempotencyKey(tx, tenant, row)) return undefined
  // A statement of its own after the conflict: it has a new snapshot, which sees the row that the
  // insert waited for.
  const earlierId = await findRepeated(tx, context, tenant, call, key)
  return assertDefined(earlierId, `the idempotency key of ${operation} vanished`)
}

// The object of an earlier call with this key, for an operation that must answer a repeat before
// it asks what a new call has to pass. It decides nothing: the claim does.
export async function findEarlierObject(
  context: Pick<Context, 'database'> & RepeatObserver,
  tenant: Tenant,
  call: IdempotentCall,
): Promise<string | undefined> {
  if (call.key === undefined) return undefined
  return findRepeated(context.database.sql, context, tenant, call, call.key)
}

async function findRepeated(
  sql: Sql | Tx,
  { onDifferingRepeat }: RepeatObserver,
  tenant: Tenant,
  call: IdempotentCall,
  key: string,
): Promise<string | undefined> {
  const earlier = await findIdempotencyKey(sql, tenant, call.operation, key)
  const hash = hashOf(call)
  if (earlier?.bodyHash && hash && !hash.equals(earlier.bodyHash)) {
    onDifferingRepeat?.(call.operation)
    if (call.isBodyBound) {
      throw new Fault('conflict', 'This idempotency key was used for something else already.')
    }
  }
  return earlier?.objectId
}

// Of the fields in the order of their names, whatever order they came in.
function hashOf({ body }: IdempotentCall): Buffer | null {
  if (!body) return null
  const fields = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
  return createHash('sha256').update(writeJson(fields), 'utf8').digest()
}
