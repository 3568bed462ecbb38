// A person has seen to what did not agree. Resolving books nothing and moves nothing: it says what
// was found, and that nobody needs to look any more.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  type Discrepancy,
  lockDiscrepancy,
  updateDiscrepancyResolved,
} from './discrepancy-store.ts'

export async function resolveDiscrepancy(
  tx: Tx,
  context: Context,
  // Whoever calls this has made sure that they may.
  actor: PersonActor,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<Discrepancy> {
  const found = await lockDiscrepancy(tx, actor, id)
  if (!found) throw notFound('break')
  if (found.resolvedAt) {
    const at = found.resolvedAt.toISOString()
    throw new Fault('conflict', `The break was resolved ${at}: ${found.resolution}.`)
  }
  const resolvedAt = context.clock.now()
  await updateDiscrepancyResolved(tx, actor, found, { resolution: reason, resolvedAt })
  const { cause, objectKind, objectId } = found
  await recordAct(tx, context, actor, {
    action: 'break.resolve',
    objectKind: 'break',
    objectId: id,
    detail: { cause, objectKind, objectId, reason },
  })
  return { ...found, resolvedAt, resolution: reason }
}
