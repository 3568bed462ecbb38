// Idempotency is a unique constraint in the transaction of the effect, not a cache: a concurrent
// repeat waits at the constraint until the first has committed, then finds its object. A call
// that was refused rolls back and uses no key up.
import { assertDefined } from '../basics/assert.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Sql, Tx } from '../db/database.ts'
import { findIdempotentObject, insertIdempotencyKey } from './idempotency-store.ts'

export type IdempotentCall = { readonly operation: string; readonly key: string | undefined }

// Claims the key for the object that is about to be made. Returns the id of the earlier object
// when the key was used before, and then the caller must not make another.
export async function claimIdempotencyKey(
  tx: Tx,
  context: Context,
  tenant: Tenant,
  call: IdempotentCall,
  objectId: string,
): Promise<string | undefined> {
  const { operation, key } = call
  if (key === undefined) return undefined
  const createdAt = context.clock.now()
  if (await insertIdempotencyKey(tx, tenant, { operation, key, objectId, createdAt })) {
    return undefined
  }
  // A statement of its own after the conflict: it has a new snapshot, which sees the row that the
  // insert waited for.
  const earlierId = await findIdempotentObject(tx, tenant, operation, key)
  return assertDefined(earlierId, `the idempotency key of ${operation} vanished`)
}

// The object of an earlier call with this key, for an operation that must answer a repeat before
// it asks what a new call has to pass. It decides nothing: the claim does.
export async function findEarlierObject(
  sql: Sql,
  tenant: Tenant,
  { operation, key }: IdempotentCall,
): Promise<string | undefined> {
  if (key === undefined) return undefined
  return findIdempotentObject(sql, tenant, operation, key)
}
