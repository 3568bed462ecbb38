// The audit log: who did what to which object. `recordAct` writes the row in the transaction of
// the act, so there is never one without the other. Rows are sealed later (`seal-audit-log.ts`):
// each gets a number and a hash over itself and its predecessor, so that a row which is changed,
// removed or moved afterwards shows (`verify-audit-log.ts`).
import { createHash } from 'node:crypto'
import { assert } from '../basics/assert.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { type Actor, actorId } from './actor.ts'
import { insertAct, type UnsealedAct } from './audit-log-store.ts'

export type Act = {
  // Noun and verb, for example `api_key.create`.
  readonly action: string
  readonly objectKind: string
  readonly objectId: string
  // What changed, for a person to read. Never a secret, nor anything that opens a door.
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

// What the first row of a chain has for a predecessor.
export const firstPreviousHash = Buffer.alloc(32)

// sha256(previous hash, then the UTF-8 text below). The text is a JSON array in this order, without
// spaces: business id, environment, sequence (decimal text), id, time (microseconds since 1970,
// decimal text), actor kind, actor id, action, object kind, object id, detail (text).
//
// Everything is taken from the row as the database gives it back, never from what was handed in,
// so a round trip cannot change it. The detail is the text of the `jsonb` value, which PostgreSQL
// writes in one canonical form: keys once and sorted (by length, then by bytes), one space after
// `:` and `,`, numbers with all their digits. The time has the full precision of the column, so
// that no digit can be changed unseen.
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

// A name is all that can be seen here, but it is what a careless caller gives away.
const secretName = /password|secret|token|authorization|cookie/i

function assertNoSecrets(value: ActDetailValue): void {
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value)) {
    assert(!secretName.test(name), `the audit log must not hold ${name}`)
    assertNoSecrets(inner)
  }
}
