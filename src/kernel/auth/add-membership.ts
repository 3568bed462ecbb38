import { assert } from '../basics/assert.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import type { Actor, Role } from './actor.ts'
import { recordAct } from './audit-log.ts'
import { insertMembership } from './membership-store.ts'

export async function addMembership(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'onAct'>,
  { businessId, personId, role }: { businessId: string; personId: string; role: Role },
  actor: Actor = { kind: 'system', name: 'add membership', businessId, environment: 'live' },
): Promise<void> {
  assert(actor.businessId === businessId, 'a member is added by an actor of the business')
  await insertMembership(tx, { businessId, personId, role, createdAt: context.clock.now() })
  await recordAct(tx, context, actor, {
    action: 'membership.create',
    objectKind: 'person',
    objectId: personId,
    detail: { role },
  })
}
