// Idempotency is a unique constraint in the transaction of the effect, not a cache: a concurrent
// repeat waits at the constraint until the first call has committed, then finds its object. A
// refused call rolls back and uses up no key. A repeat with a different body still gets the first
// object; it is counted, because such a caller misuses its keys. Operations of people that move
// money refuse it instead, since no interface promises otherwise there.
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
  // The request without the key. If it is missing, repeats are not compared.
  readonly body?: object
  // Refuses a repeat with a different body.
  readonly isBodyBound?: boolean
}

// Called for every repeat whose body differs from the first call's.
export type RepeatObserver = { readonly onDifferingRepeat?: (operation: string) => void }

// Claims the key for a new object. If the key was used before, returns the id of the earlier
// object, and the caller must not create another.
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
  // A separate statement after the conflict: it has a new snapshot, which sees the row that the
  // insert waited for.
  const earlierId = await findRepeated(tx, context, tenant, call, key)
  return assertDefined(earlierId, `the idempotency key of ${operation} vanished`)
}

// The object of an earlier call with this key, for operations that answer a repeat before they
// check a new call. Only the claim decides.
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
      throw new Fault('conflict', 'This idempotency key was already used for another request.')
    }
  }
  return earlier?.objectId
}

// Fields are sorted by name, so their order does not matter.
function hashOf({ body }: IdempotentCall): Buffer | null {
  if (!body) return null
  const fields = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
  return createHash('sha256').update(writeJson(fields), 'utf8').digest()
}
