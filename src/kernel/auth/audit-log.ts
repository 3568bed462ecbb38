// The audit log: who did what to which object. `recordAct` writes the row in the transaction of the
// change. Rows are sealed later (`seal-audit-log.ts`): each gets a number and a hash over itself
// and its predecessor, so that changing, removing or moving a row is detected
// (`verify-audit-log.ts`).
import { createHash } from 'node:crypto'
import { assert } from '../basics/assert.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { type Actor, actorId } from './actor.ts'
import { insertAct, type UnsealedAct } from './audit-log-store.ts'

export type Act = {
  // Noun and verb, such as `api_key.create`.
  readonly action: string
  readonly objectKind: string
  readonly objectId: string
  // What changed, for people. Never a secret.
  readonly detail?: ActDetail
}

export type ActDetail = { readonly [name: string]: ActDetailValue }
type ActDetailValue = string | number | boolean | null | readonly ActDetailValue[] | ActDetail

export async function recordAct(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  actor: Actor,
  act: Act,
): Promise<void> {
  context.onAct?.()
  const detail = act.detail ?? {}
  assertNoSecrets(detail)
  await insertAct(tx, actor, {
    id: context.ids.uuid(),
    at: context.clock.now(),
    actorKind: actor.kind,
    actorId: actorId(actor),
    action: act.action,
    objectKind: act.objectKind,
    objectId: act.objectId,
    detail,
  })
}

// The predecessor of the first row of a chain.
export const firstPreviousHash = Buffer.alloc(32)

// sha256(previous hash, then the UTF-8 text below). The text is a JSON array in this order, without
// spaces: business id, environment, sequence (decimal text), id, time (microseconds since 1970,
// decimal text), actor kind, actor id, action, object kind, object id, detail (text).
//
// All values are those that the database returns, never the input, so a round trip can't change
// them. The detail is the text of the `jsonb` value, which PostgreSQL writes in one canonical form:
// unique keys, sorted (by length, then by bytes), one space after `:` and `,`, numbers with all
// their digits. The time has the full precision of the column, so that no digit can be changed
// unnoticed.
export function actHash(previousHash: Uint8Array, act: UnsealedAct, sequence: bigint): Buffer {
  const text = JSON.stringify([
    act.businessId,
    act.environment,
    String(sequence),
    act.id,
    String(act.atMicroseconds),
    act.actorKind,
    act.actorId,
    act.action,
    act.objectKind,
    act.objectId,
    act.detailText,
  ])
  return createHash('sha256').update(previousHash).update(text, 'utf8').digest()
}

// Only names can be checked here, but they catch a careless caller.
const secretName = /password|secret|token|authorization|cookie/i

function assertNoSecrets(value: ActDetailValue): void {
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value)) {
    assert(!secretName.test(name), `the audit log must not contain ${name}`)
    assertNoSecrets(inner)
  }
}
