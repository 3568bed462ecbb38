// Idempotency is a unique constraint in the transaction of the effect, not a cache: a concurrent
// repeat waits at the constraint until the first has committed, then finds its object. A call
// that was refused rolls back and uses no key up.
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
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
  return findIdempotentObject(tx, tenant, operation, key)
}
